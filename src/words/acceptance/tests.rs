use proptest::prelude::*;

use super::*;

fn all(expected: bool, texts: &[&str]) {
    let wrong: Vec<_> = texts.iter().filter(|t| accepts(t) != expected).collect();
    assert!(wrong.is_empty(), "not {expected}: {wrong:?}");
}

#[test]
fn an_explicit_yes_accepts() {
    all(
        true,
        &[
            "yes",
            "yes.",
            "YES!!!",
            "(yes)",
            "Yep",
            "Go ahead.",
            "please proceed",
            "Confirmed",
            "I confirm",
            "go for it",
            "please do",
            "That's correct",
            "That is right!",
            "that works for me",
            "looks good",
            "Sounds great, thanks",
            "let's do it",
            "I'd like to proceed",
            "Yes, cancel it",
            "Yes, that's all correct, please proceed with the exchange",
            "Yes, please go ahead and process the return.",
            "Everything looks correct. Please proceed.",
            "absolutely",
            "by all means",
            "You can go ahead",
            "да",
            "Да, всё верно",
            "да, подтверждаю",
            "оформляйте",
            "угу",
            "согласна",
            "давайте",
        ],
    );
}

#[test]
fn a_refusal_at_the_opening_is_none() {
    all(
        false,
        &[
            "no",
            "nope",
            "No, go ahead with the other one",
            "hold on, yes",
            "wait, yes",
            "stop",
            "Hmm, no, go ahead",
            "don't do it",
            "hold off",
            "not now, yes later",
            "нет",
            "нет, подождите",
            "не сейчас",
            "стоп, да",
        ],
    );
}

#[test]
fn what_withdraws_a_yes_does_so_anywhere() {
    all(
        false,
        &[
            "yes, use the other card instead",
            "Yes. Never mind.",
            "on second thought yes",
            "yes, I changed my mind",
            "yes, not yet",
            "Yes please. Let me think about it first.",
            "I'd rather not, yes",
            "да, вместо этого верните",
            "да, я передумал",
            "да, не надо",
            "да, подождите",
        ],
    );
}

#[test]
fn actually_and_wait_withdraw_only_where_a_clause_opens() {
    all(false, &["Yes, actually wait", "Yes. Actually, use my card", "yes, hold on", "yes wait", "Да, впрочем"]);
    all(true, &["the refund actually arrives on Monday, yes", "I can't wait to see it, yes"]);
}

#[test]
fn a_negated_yes_is_none() {
    all(
        false,
        &[
            "I have not said yes",
            "never said yes",
            "that's not correct",
            "I don't confirm",
            "please don't go ahead",
            "I cannot agree",
            "не подтверждаю",
            "never agreed",
        ],
    );
}

#[test]
fn a_reservation_in_the_sentence_of_the_yes_makes_it_none() {
    all(
        false,
        &[
            "yes, but not the blue one",
            "yes however I prefer gold",
            "yes unless it costs extra",
            "If it is free, yes",
            "Yes, once you have checked",
            "да, но не сегодня",
            "если можно, да",
        ],
    );
}

#[test]
fn a_reservation_in_a_later_sentence_is_about_something_else() {
    all(true, &["Yes, please proceed. But could I also get a coupon?", "Yes.\nIf anything is left, tell me."]);
}

#[test]
fn a_weak_word_accepts_only_as_the_whole_message() {
    all(
        true,
        &[
            "ok",
            "OK, thanks!",
            "Okay.",
            "Sure, thank you",
            "um… sure",
            "alright then",
            "of course",
            "correct",
            "ok 👍",
            "ладно, спасибо",
            "хорошо",
        ],
    );
    all(
        false,
        &[
            "ok?",
            "Sure, which one?",
            "Okay, glad you found it. Which refund is faster?",
            "I'm sure it was blue",
            "not sure",
            "ok bob@x.org",
            "fine print",
        ],
    );
}

#[test]
fn do_it_counts_where_a_clause_starts_or_after_please() {
    all(true, &["do it", "please do that", "just do it", "Fine, do it", "then do it"]);
    all(false, &["I'll do it later", "how they do it", "I definitely want to return it", "The options look good"]);
}

#[test]
fn a_question_about_a_yes_is_none() {
    all(
        false,
        &[
            "yes?",
            "is that correct?",
            "What happens when I say yes?",
            "Did you say yes?",
            "how do I proceed?",
            "what would it cost?",
        ],
    );
    all(true, &["can you proceed?"]);
}

#[test]
fn a_mixture_of_yes_and_no_is_no_yes() {
    all(false, &["yes no", "yes, no", "Yes. No.", "yes/no", "да нет", "Yes, stop", "go ahead, nope"]);
}

#[test]
fn a_no_that_refuses_nothing_is_none() {
    all(true, &["Yes, no problem", "Yes. No other changes, thanks.", "Yes, cancel it. Reason: no longer needed."]);
}

#[test]
fn words_inside_an_address_are_no_answer() {
    all(false, &["yes@example.com", "https://x.org/yes"]);
}

#[test]
fn spelling_case_and_typography_do_not_matter() {
    all(true, &["ｙｅｓ", "ye\u{200b}s", "That’s right", "“yes”", "ДА", "всё верно"]);
    all(false, &["Y e s", "", " ", "?", "thanks", "let's roll"]);
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_stop(text in "\\PC{0,80}") {
        let _ = accepts(&text);
    }

    #[test]
    fn a_leading_no_always_refuses(text in "[a-z ,.]{0,40}") {
        prop_assume!(!text.trim_start_matches([' ', ',']).is_empty());
        let refused = format!("nope, {text}");
        prop_assert!(!accepts(&refused));
    }
}
