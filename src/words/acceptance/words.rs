//! The words of a confirmation, as data: what each says, in English and Russian.
//!
//! A phrase is words with one space between; a word may have alternatives (`that|this`). Texts are compared in the spelling
//! of [`super::plain`]: lower case, plain apostrophes, `е` for `ё`.

/// What a phrase does to an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// An explicit yes.
    Yes,
    /// An explicit yes where a clause starts (after a sentence: on a line of its own), or after please, just, yes or then.
    YesAtStart,
    /// A yes only as the whole message.
    Weak,
    /// A no where the message opens or a clause starts.
    No,
    /// A no where a sentence opens, or as a clause of its own.
    Stop,
    /// Takes a yes back, wherever it is said.
    Withdraw,
    /// Takes a yes back where a sentence or clause opens, or right after a yes.
    WithdrawAtStart,
    /// A condition: no yes in this sentence.
    Reserve,
    /// Turns a yes within the next three words around.
    Not,
    /// Says nothing; may come before an answer.
    Filler,
    /// Says nothing; may come after an answer.
    Courtesy,
    /// Opens a question: the sentence asks, its yes is none.
    Asks,
}

/// Every phrase that matters. Where two begin at one word, both count.
pub(super) const PHRASES: &[(Says, &str)] = &[
    // yes, English
    (Says::Yes, "yes|yep|yeah|yup|yess|yea|aye|affirmative"),
    (Says::Yes, "go ahead"),
    (Says::Yes, "going ahead"),
    (Says::Yes, "go for it"),
    (Says::Yes, "proceed|confirmed|agreed|approved"),
    (Says::Yes, "i|we confirm|agree|approve|accept"),
    (Says::Yes, "i|we can|do|hereby|fully|would confirm|agree|approve|accept"),
    (Says::Yes, "please continue|do"),
    (Says::Yes, "let's|lets do it|that|this"),
    (Says::Yes, "let's|lets go ahead"),
    (Says::Yes, "let us do it|that|this"),
    (Says::Yes, "by all means"),
    (Says::Yes, "make it so"),
    (Says::Yes, "that|this|it works"),
    (Says::Yes, "looks|sounds|seems good|great|right|correct|fine|perfect|accurate|ok|okay|excellent|wonderful"),
    (Says::Yes, "looks|sounds all good|right|correct"),
    (
        Says::Yes,
        "that|this|it|everything|all looks|sounds|seems good|great|right|correct|fine|perfect|accurate|ok|okay|excellent",
    ),
    (Says::Yes, "that's|thats|it's|all's|everything's correct|right|fine|perfect|accurate|good"),
    (Says::Yes, "that|this|it|everything|all|information|summary|address|order is|was correct|right|fine|perfect|accurate"),
    (Says::Yes, "details|items|changes|they are|look correct|right|fine|perfect|accurate|good"),
    (Says::Yes, "that's|thats|it's|is all|exactly|absolutely|perfectly correct|right|fine"),
    (Says::Yes, "all correct|good"),
    (Says::Yes, "fine|okay|ok|good with|by me"),
    (Says::Yes, "you|u may|can go|proceed|continue|do"),
    (Says::YesAtStart, "do it|that|so|this"),
    // yes, Russian
    (
        Says::Yes,
        "да|угу|ага|верно|правильно|подтверждаю|подтверждаем|подтверждено|согласен|согласна|согласны|одобряю|давай|давайте",
    ),
    (
        Says::Yes,
        "оформляй|оформляйте|оформи|оформите|продолжай|продолжайте|приступай|приступайте|действуй|действуйте|выполняй|выполняйте",
    ),
    (Says::Yes, "делай|делайте|сделай|сделайте|валяй|поехали"),
    (Says::Yes, "так и сделай|сделайте|сделаем|есть"),
    (Says::Yes, "все так"),
    (Says::Yes, "все в порядке"),
    (Says::Yes, "меня|нас устраивает"),
    // weak
    (
        Says::Weak,
        "absolutely|definitely|certainly|ok|okay|okey|okie|sure|fine|alright|correct|exactly|right|indeed|confirm|good|ок|окей|хорошо|ладно|конечно|годится|точно",
    ),
    (Says::Weak, "of course"),
    (Says::Weak, "all right"),
    (Says::Weak, "sure thing"),
    // no
    (Says::No, "no|nope|nah|nay|negative|нет|неа|не"),
    (Says::No, "not"),
    (Says::No, "never"),
    (Says::No, "hold up|off|on"),
    (Says::No, "don't|dont"),
    (Says::No, "do not"),
    (Says::Stop, "stop|halt|abort|стоп|стой|стойте|отставить|отбой|отмена"),
    // takes a yes back
    (
        Says::Withdraw,
        "instead|nevermind|вместо|передумал|передумала|передумали|подожди|подождите|погоди|погодите|обожди|обождите",
    ),
    (Says::Withdraw, "not yet|now|today"),
    (Says::Withdraw, "never mind"),
    (Says::Withdraw, "second thought|thoughts"),
    (Says::Withdraw, "changed|change|changing my|our mind"),
    (Says::Withdraw, "scratch|forget that|it"),
    (Says::Withdraw, "hold off"),
    (Says::Withdraw, "rather|would not"),
    (Says::Withdraw, "i'd|i rather you|we|wait|keep|have"),
    (Says::Withdraw, "let me think"),
    (Says::Withdraw, "need to think"),
    (Says::Withdraw, "take it|that back"),
    (Says::Withdraw, "yes or no"),
    (Says::Withdraw, "before|until i|we decide|choose|confirm|agree"),
    (Says::Withdraw, "не надо|нужно|сейчас|стоит|хочу|буду|будем"),
    (Says::Withdraw, "пока не|нет"),
    (Says::Withdraw, "лучше не"),
    (Says::Withdraw, "еще не|нет"),
    (Says::Withdraw, "дай|дайте подумать"),
    (Says::Withdraw, "надо подумать"),
    (Says::Withdraw, "а впрочем"),
    (Says::WithdrawAtStart, "actually|wait|впрочем|минутку|секунду"),
    (Says::WithdrawAtStart, "hold on"),
    (Says::WithdrawAtStart, "hang on"),
    (Says::WithdrawAtStart, "one moment|second|sec|minute"),
    (Says::WithdrawAtStart, "just a moment|second|sec|minute"),
    (Says::WithdrawAtStart, "на самом деле"),
    // conditions
    (Says::Reserve, "but|however|though|although|unless|except|if|provided|assuming|whereas|until|till"),
    (Says::Reserve, "as|so long as"),
    (Says::Reserve, "once|after|before you|we|i|that|proceeding|doing"),
    (Says::Reserve, "on condition|one"),
    (Says::Reserve, "apart|aside from"),
    (Says::Reserve, "first tell|let|show|check|explain"),
    (Says::Reserve, "если|но|кроме|однако|только|хотя|разве|прежде|сначала|пока"),
    (Says::Reserve, "при условии"),
    (Says::Reserve, "за исключением"),
    // turn a yes around
    (
        Says::Not,
        "not|never|no|nor|neither|cannot|don't|dont|doesn't|doesnt|didn't|didnt|isn't|isnt|aren't|arent|wasn't|wasnt",
    ),
    (
        Says::Not,
        "won't|wont|wouldn't|wouldnt|can't|cant|couldn't|couldnt|shouldn't|shouldnt|haven't|havent|hasn't|hasnt|hadn't",
    ),
    (Says::Not, "unable|refuse|decline|hardly|without|how|unsure|hesitant|не|нет|ни|никогда|нельзя|без"),
    // says nothing
    (Says::Filler, "um|umm|uh|uhm|hm|hmm|hmmm|mm|mhm|well|oh|ah|so|эм|хм|хмм|ну|ой|ах|так"),
    (
        Says::Courtesy,
        "fine|good|thanks|thank|thx|ty|you|cheers|please|pls|great|perfect|cool|nice|awesome|wonderful|excellent|then|so|very|much|a|lot",
    ),
    (Says::Courtesy, "спасибо|пожалуйста|отлично|супер|благодарю|большое|тогда|ну"),
    // questions
    (Says::Asks, "what|what's|why|how|which|when|where|who|whose|did|does|is|are|was|were|should|shall|have|has|had"),
    (Says::Asks, "do you|i|we|they"),
    (Says::Asks, "что|как|почему|когда|зачем|какой|какая|какие|сколько|кто|где|куда|разве"),
];

/// What may follow a `no` that refuses nothing ("no problem", "no other changes").
pub(super) const HARMLESS_NO: &[&str] = &[
    "longer",
    "problem",
    "problems",
    "worries",
    "rush",
    "need",
    "other",
    "further",
    "more",
    "additional",
    "changes",
    "questions",
    "issue",
    "issues",
    "hurry",
    "doubt",
    "проблем",
];

/// After one of these a [`Says::YesAtStart`] counts too.
pub(super) const BEFORE_DO_IT: &[&str] = &["please", "just", "yes", "then"];
