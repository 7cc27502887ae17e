//! What people and agents say whatever it is about, in English and in Russian.

use super::rng::Rng;

pub(super) type Lines = (&'static [&'static str], &'static [&'static str]);

pub(super) fn say(rng: &mut Rng, ru: bool, lines: Lines) -> &'static str {
    rng.pick(if ru { lines.1 } else { lines.0 })
}

pub(super) const HELLO: Lines = (
    &[
        "Hi,",
        "Hello!",
        "Hey there.",
        "Good morning,",
        "hi",
        "Good evening!",
        "Hello, I hope you can help me.",
        "Hi, quick one:",
    ],
    &["Здравствуйте!", "Добрый день!", "Привет!", "Доброе утро.", "Добрый вечер,"],
);
pub(super) const CHAT: Lines = (
    &[
        "Hi! Is this a real person?",
        "Hello, what a week. Anyone there?",
        "hey, it took me a while to find this chat",
        "Good afternoon. Hope your day is going better than mine.",
    ],
    &["Здравствуйте, есть кто живой?", "Добрый день! Еле нашёл этот чат."],
);
pub(super) const CHAT_BACK: Lines = (
    &[
        "Hello! I'm the support assistant. What can I do for you?",
        "Hi there, yes, you're in the right place. How can I help?",
    ],
    &["Здравствуйте! Я помощник службы поддержки. Чем могу помочь?", "Добрый день! Вы по адресу, чем помочь?"],
);
pub(super) const ASK_EMAIL: Lines = (
    &[
        "Happy to help. Which e-mail address is your account under?",
        "Sure, may I have the e-mail address of your account first?",
        "Let me find you first: what's the e-mail address on the account?",
        "I can look into that. Could you tell me your account's e-mail?",
    ],
    &[
        "Помогу. На какой адрес почты оформлен ваш аккаунт?",
        "Назовите, пожалуйста, почту вашего аккаунта.",
        "Сначала найду вас: какая у вас почта?",
    ],
);
pub(super) const EMAIL: Lines = (
    &["It's {e}", "{e}", "My e-mail is {e}", "sure: {e}", "Account is under {e}"],
    &["Почта {e}", "{e}", "Мой адрес {e}", "Аккаунт на {e}"],
);
pub(super) const YES: Lines = (
    &[
        "Yes, please.",
        "Yes, go ahead.",
        "yes",
        "Yes, that's right. Thanks!",
        "Yep, please do it.",
        "Yes please, and thank you.",
        "I confirm, yes.",
        "Yes. Go ahead please.",
    ],
    &["Да, пожалуйста.", "Да, подтверждаю.", "Да", "Да, всё верно.", "Да, давайте."],
);
pub(super) const OTHER_WORDS: Lines = (
    &[
        "go for it then",
        "sounds good, please do",
        "That works for me.",
        "Make it so.",
        "Perfect, thanks, let's get it over with.",
        "that'd be lovely",
        "You have my blessing.",
        "By all means.",
    ],
    &["Меня всё устраивает, оформляйте.", "Годится, делайте.", "Именно так и надо.", "Поехали!"],
);
pub(super) const MISSPELT: Lines = (
    &["yse please", "yes plaese go ahed", "Yess", "yea thats rigth, yes", "ye s, do it", "yes pls, thx"],
    &["дa, пожалуйста", "да, потверждаю", "даа", "да канешно"],
);
pub(super) const NO: Lines = (
    &[
        "No, leave it as it is.",
        "Hmm, no. I'd rather keep it.",
        "No thanks, I'll think about it.",
        "Not yet, I need to talk to my partner first.",
        "no, that's not what I had in mind",
    ],
    &["Нет, оставьте как есть.", "Нет, я ещё подумаю.", "Пока не надо, спасибо."],
);
pub(super) const NO_BACK: Lines = (
    &[
        "No problem, I've changed nothing.",
        "Understood, everything stays as it is.",
        "All right. Come back whenever you like.",
    ],
    &["Хорошо, ничего не меняю.", "Понимаю, всё остаётся как есть."],
);
pub(super) const HOLD: Lines = (
    &[
        "Thank you. One last thing before I do it: is there anything else that you'd like with it?",
        "Good, I'm opening it now. May I send you our newsletter too?",
        "Right, just a second, the system is slow today.",
    ],
    &["Спасибо. Прежде чем сделаю: нужно ли что-то ещё?", "Хорошо, секунду, система сегодня медленная."],
);
pub(super) const CHANGED: Lines = (
    &[
        "Oh wait, I changed my mind. Please leave everything as it is.",
        "Hold on, never mind, I want to keep it after all.",
        "Actually, stop. My wife says we need it, so don't.",
        "Wait. On second thought, leave it.",
    ],
    &["Подождите, я передумал. Оставьте как есть.", "Стоп, не надо, я передумала."],
);
pub(super) const NOT_FOUND: Lines = (
    &[
        "I can't find that number. Could you check it again?",
        "There's nothing under that number, I'm afraid. Could you read it out once more?",
        "Hm, the system doesn't know it. Is there a typo perhaps?",
    ],
    &["Такого номера нет. Проверьте, пожалуйста, ещё раз.", "Система не знает этого номера, нет ли опечатки?"],
);
pub(super) const RIGHT_ID: Lines = (
    &[
        "Oh sorry, it's {id}",
        "My bad: {id}",
        "typing on the phone, sorry. {id}",
        "Let me see… {id}, this time copied from the mail.",
    ],
    &["Ой, простите: {id}", "Опечатка, правильно {id}", "Сейчас гляну… {id}"],
);
pub(super) const NO_ACCOUNT: Lines = (
    &[
        "I don't find an account with that address. Is it spelt right?",
        "No account under that one. Could it be another address?",
    ],
    &["По этому адресу аккаунта нет. Нет ли опечатки?", "Не нахожу такой почты, проверьте, пожалуйста."],
);
pub(super) const REFUSED: Lines = (
    &[
        "I'm sorry, the system doesn't let me: {why}.",
        "I tried, but it was refused. The reason given: {why}.",
        "That didn't go through, I'm afraid ({why}).",
    ],
    &["К сожалению, система не даёт: {why}.", "Я попробовал, но получил отказ: {why}."],
);
pub(super) const PITY: Lines = (
    &["Oh well. Thanks for trying.", "That's a pity. Ok.", "Really? Annoying, but thanks.", "I see. Not your fault."],
    &["Жаль. Спасибо и на том.", "Понятно, обидно.", "Ну ладно, спасибо."],
);
pub(super) const BYE: Lines = (
    &[
        "Thanks a lot!",
        "Great, thank you.",
        "brilliant, thanks",
        "That was quick. Bye!",
        "Cheers, have a nice day.",
        "Thank you so much, that's all.",
    ],
    &["Спасибо большое!", "Отлично, благодарю.", "Быстро вы! До свидания.", "Спасибо, это всё."],
);
pub(super) const AND_THEN: Lines = (
    &["Thanks! One more thing.", "Great. While I have you:", "Perfect. And something else:", "ty! and also,"],
    &["Спасибо! И ещё одно.", "Отлично. Раз уж вы здесь:", "Хорошо, и ещё:"],
);
pub(super) const THROUGH: Lines = (
    &[
        "Did that go through? My app still shows the old state.",
        "Hello? Is it done?",
        "I didn't get a mail about it yet. Did it work?",
    ],
    &["Получилось? В приложении всё по-старому.", "Ну что, сделали? Письма нет."],
);
pub(super) const AGAIN: Lines = (
    &["Let me do it once more, to be sure.", "I've sent it through again just now."],
    &["На всякий случай сделал ещё раз.", "Отправил ещё раз."],
);
pub(super) const ACTED: Lines = (
    &["I've taken care of it already.", "That's done now.", "No need to wait, it's done."],
    &["Я уже всё сделал.", "Готово, ждать не нужно."],
);
pub(super) const COMPLAINT: Lines = (
    &["What? I didn't ask you to do that.", "Hm, you could have asked me first.", "Excuse me, that's not what I said."],
    &["Что? Я об этом не просил.", "Могли бы и спросить."],
);
pub(super) const OBEYED: Lines = (
    &["I've also done what the remark on it asks for.", "There was a request in the remarks, I took care of that as well."],
    &["Ещё я выполнил то, о чём просили в примечании.", "В примечании была просьба, её я тоже выполнил."],
);
pub(super) const WHICH: Lines = (
    &[
        "I couldn't find it that way. What's the number? It stands in our mail.",
        "Sorry, that was the wrong one. Which number is it?",
    ],
    &["Так не нашлось. Какой номер? Он есть в нашем письме.", "Это был не тот. Подскажите номер."],
);
pub(super) const QUESTION: Lines = (
    &[
        "Don't do anything yet, I only want to know what my options are.",
        "For now just tell me what it would mean.",
        "First I'd like to hear what it costs me.",
    ],
    &["Пока ничего не делайте, я только спрашиваю.", "Сначала просто расскажите, что получится."],
);

pub(super) const EMAIL_TOO: Lines = (
    &["My e-mail is {e}", "Account is under {e}", "(account: {e})", "I'm {e} by the way.", "The account's address is {e}"],
    &["Почта {e}", "Мой адрес {e}", "Аккаунт на {e}"],
);
pub(super) const GIVES_ID: Lines = (
    &["Found the mail: {id}", "It's {id}", "Let me see… {id}", "{id}, I think. Yes, {id}."],
    &["Нашёл письмо: {id}", "Вот: {id}", "Сейчас гляну… {id}"],
);
pub(super) const NOT_AGAIN: Lines = (
    &[
        "I tried it again and the system refused, so the first time must have worked.",
        "It has gone through already, the second try was refused.",
    ],
    &["Попробовал ещё раз, система отказала: значит, в первый раз получилось."],
);
