//! Makes conversations of a given length with a call every five messages, for measuring cost against length.
//!
//! `cargo run --release --example lengths -- MESSAGES CONVERSATIONS OUT.jsonl`

use std::fs::File;
use std::io::{BufWriter, Write};

use serde_json::{Value, json};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [messages, conversations, out] = arguments.as_slice() else {
        anyhow::bail!("usage: lengths MESSAGES CONVERSATIONS OUT.jsonl");
    };
    let (messages, conversations): (usize, usize) = (messages.parse()?, conversations.parse()?);
    let mut out = BufWriter::new(File::create(out)?);
    for conversation in 0..conversations {
        let turns = (0..messages.div_ceil(5)).flat_map(|turn| five_messages(conversation, turn));
        let record = json!({"id": format!("length-{messages}/{conversation}"), "messages": turns.take(messages).collect::<Vec<Value>>()});
        writeln!(out, "{record}")?;
    }
    out.flush()?;
    Ok(())
}

/// A user names an order, the agent asks, the user agrees, the call is made and answered.
fn five_messages(conversation: usize, turn: usize) -> [Value; 5] {
    let order = format!("#W{}", 1_000_000 + conversation * 7919 + turn * 31);
    let id = format!("call_{turn}");
    let arguments = json!({"order_id": order, "reason": "no longer needed"}).to_string();
    [
        json!({"role": "user", "content": format!("Hi, please cancel my order {order}, I no longer need the lamp and the two chairs.")}),
        json!({"role": "assistant", "content": format!("Order {order} costs $120.50 and is pending. Shall I cancel it, reason no longer needed?")}),
        json!({"role": "user", "content": "Yes, please go ahead."}),
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function",
               "function": {"name": "cancel_pending_order", "arguments": arguments}}]}),
        json!({"role": "tool", "tool_call_id": id, "content": json!({"order_id": order, "status": "cancelled", "items": [1, 2, 3]}).to_string()}),
    ]
}
