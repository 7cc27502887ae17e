//! Finding records in files: compression, folders, JSON Lines and the elements of arrays, in batches.
