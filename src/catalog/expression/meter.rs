//! The step budget: no expression costs more than a bounded amount of work, whatever the recording holds.

use std::cell::Cell;

use super::MAX_STEPS;
use super::error::Failure;

/// Bytes of text that count as one step; reading them takes about as long as evaluating a small node.
const BYTES_A_STEP: usize = 256;
/// Items passed over in a look-up that count as one step.
const ITEMS_A_STEP: usize = 8;

/// Counts down the steps of one evaluation.
#[derive(Debug)]
pub(super) struct Meter(Cell<u32>);

impl Meter {
    pub(super) fn new() -> Meter {
        Meter(Cell::new(MAX_STEPS))
    }

    /// Takes steps, or fails when too few are left.
    #[inline]
    pub(super) fn charge(&self, steps: usize) -> Result<(), Failure> {
        let left = u32::try_from(steps).ok().and_then(|steps| self.0.get().checked_sub(steps)).ok_or(Failure::Budget)?;
        self.0.set(left);
        Ok(())
    }

    /// For passing over so many items.
    #[inline]
    pub(super) fn scan(&self, items: usize) -> Result<(), Failure> {
        self.charge(items / ITEMS_A_STEP)
    }

    /// For reading a text.
    #[inline]
    pub(super) fn read(&self, text: &str) -> Result<(), Failure> {
        self.bytes(text.len())
    }

    /// For reading or making so many bytes of text.
    #[inline]
    pub(super) fn bytes(&self, bytes: usize) -> Result<(), Failure> {
        self.charge(bytes / BYTES_A_STEP)
    }
}
