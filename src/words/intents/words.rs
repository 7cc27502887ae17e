//! The words that ask for an action, as data, in English and Russian.
//!
//! A phrase is words with one space between. A word may have alternatives (`top|topping`); a `*` at its end lets it go on
//! (Russian endings); `..2` stands for one or two words of any kind. Between words stands one space or hyphen; after a leading `~`, any blanks.

use super::Intent;

/// Every phrase, by intent. Word boundaries matter: "bookkeeping" books nothing.
pub(super) const PHRASES: &[(Intent, &str)] = &[
    (
        Intent::Reserve,
        "book|books|booking|bookings|booked|rebook|reserve|reserves|reserved|reserving|reservation|reservations",
    ),
    (Intent::Reserve, "брон*|заброн*|резерв*|зарезерв*"),
    (
        Intent::Event,
        "calendar|calendars|schedule|schedules|scheduled|scheduling|reschedule|remind|reminds|reminder|reminders|appointment",
    ),
    (Intent::Event, "appointments|meeting|meetings|event|events"),
    (Intent::Event, "запланир*|планир*|календар*|напомни*|напоминан*|встреч*|расписан*|перенеси|перенесите"),
    (
        Intent::Visit,
        "visit|visits|visiting|website|websites|site|sites|webpage|webpages|url|urls|link|links|browse|browsing",
    ),
    (Intent::Visit, "page|pages"),
    (Intent::Visit, "go|navigate|head to the page|homepage"),
    (
        Intent::Visit,
        "сайт|сайта|сайту|сайте|сайтом|сайты|сайтов|ссылк*|зайди|зайдите|перейди|перейдите|посети|посетите|страниц*",
    ),
    (
        Intent::Pay,
        "pay|pays|paying|paid|payment|payments|repay|refund|refunds|refunded|reimburse|transfer|transfers|transferring",
    ),
    (Intent::Pay, "deposit|deposits|withdraw|withdrawal|wire|topup|remit|donate|charge"),
    (Intent::Pay, "top up"),
    (Intent::Pay, "topping up"),
    (Intent::Pay, "send|sending|move|moving money|funds|cash|payment"),
    (Intent::Pay, "settle the|my|this bill|invoice|balance"),
    (Intent::Pay, "оплат*|оплач*|заплат*|платить|платеж*|перевод|перевода|переведи|переведите|перевести|пополн*|возврат*"),
    (Intent::Pay, "~ сними|снимите|снять|списать|спиши|спишите ..3 с карт*|счет*"),
    (Intent::Pay, "перечисли|перечислите|перечислить"),
    (
        Intent::Send,
        "send|sends|sending|sent|resend|mail|mails|mailing|email|emails|emailing|forward|forwards|forwarding|message|messages",
    ),
    (Intent::Send, "tell|tells|notify|notifies|inform|reply|respond|text|contact"),
    (Intent::Send, "reach|reaching out"),
    (Intent::Send, "let ..3 know"),
    (
        Intent::Send,
        "отправ*|отошли|отошлите|пошли|пошлите|перешл*|письм*|напиши|напишите|сообщи|сообщите|сообщен*|уведоми*|передай|передайте",
    ),
    (
        Intent::Delete,
        "delete|deletes|deleting|deleted|deletion|remove|removes|removing|removed|erase|erases|wipe|cancel|cancels|canceling",
    ),
    (Intent::Delete, "cancelling|cancelled|canceled|cancellation|trash|purge|cleanup|unsubscribe|discard"),
    (Intent::Delete, "clean|cleaning|clear up|out"),
    (Intent::Delete, "get rid of"),
    (
        Intent::Delete,
        "удал*|отмени|отмените|отменить|отмена|отмену|сотри|сотрите|стереть|убери|уберите|очисти|очистите|отпиши|отпишите",
    ),
    (Intent::Invite, "invite|invites|inviting|invited|invitation|invitations"),
    (Intent::Invite, "add ..1 to"),
    (Intent::Invite, "пригла*|позови|позовите"),
    (Intent::Invite, "добавь|добавьте ..2 в"),
    (
        Intent::Post,
        "post|posts|posting|posted|publish|publishes|publishing|published|upload|uploads|uploading|uploaded|tweet|tweets|blog",
    ),
    (
        Intent::Post,
        "опубликуй*|публикуй*|опубликовать|публиковать|опубликуем|выложи|выложите|выложить|загрузи|загрузите|запости|запостите",
    ),
    (Intent::Share, "share|shares|sharing|shared|unlock|unlocks|unlocking"),
    (Intent::Share, "give|giving|grant|granting ..3 access"),
    (Intent::Share, "grant access"),
    (Intent::Share, "give access"),
    (Intent::Share, "подели*|разблокир*|расшар*"),
    (Intent::Share, "дай|дайте|предоставь|предоставьте ..2 доступ*"),
    (Intent::Share, "дай|дайте|предоставь|предоставьте|открой|откройте доступ*"),
];

/// Words that a stem would take in, but that say something else ("удалось": it worked out).
pub(super) const NOT_STEMS: &[&str] = &["удалось", "удастся", "удалой", "удалась", "резервная", "резервный", "бронхит"];
