//! Text without format characters, with plain spaces, and the way back to the text as written.
