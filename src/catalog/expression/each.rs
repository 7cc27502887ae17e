//! The macros: `all`, `exists`, `exists_one`, `filter` and `map` over the items of a list or the keys of a map.

use super::error::Failure;
use super::evaluate::{Locals, Run};
use super::node::{Each, EachKind};
use super::value::{Items, Val};

/// Whether a macro goes on to the next item.
enum Step {
    Next,
    Stop,
}

impl<'m, 'v> Run<'m, 'v> {
    /// Calls `use_item` for each item of a list, or key of a map, with the macro's name bound to it.
    fn each(
        &self,
        each: &'m Each,
        locals: &mut Locals<'v>,
        mut use_item: impl FnMut(&mut Locals<'v>, Val<'v>) -> Result<Step, Failure>,
    ) -> Result<(), Failure> {
        let over = self.value(&each.over, locals)?;
        let keys;
        let items = match over.items() {
            Some(items) => items,
            None => {
                keys = over.keys().ok_or(Failure::Operand { function: "a macro", kind: over.kind() })?;
                self.meter.charge(keys.len())?;
                Items::Made(&keys)
            }
        };
        for item in items.iter() {
            self.meter.charge(1)?;
            // What an absorbed error left behind goes, too.
            locals.truncate(each.depth);
            locals.push(item.clone());
            if let Step::Stop = use_item(locals, item)? {
                break;
            }
        }
        locals.truncate(each.depth);
        Ok(())
    }

    pub(super) fn quantify(&self, each: &'m Each, locals: &mut Locals<'v>) -> Result<bool, Failure> {
        if each.kind == EachKind::ExistsOne {
            let mut count = 0_usize;
            self.each(each, locals, |locals, _| {
                count += usize::from(self.truth(&each.body, locals)?);
                Ok(Step::Next)
            })?;
            return Ok(count == 1);
        }
        let decisive = each.kind == EachKind::Exists;
        let mut decided = false;
        let mut failed = None;
        self.each(each, locals, |locals, _| {
            match self.truth(&each.body, locals) {
                Ok(truth) if truth == decisive => {
                    decided = true;
                    return Ok(Step::Stop);
                }
                Ok(_) => {}
                Err(failure) if failure.is_final() => return Err(failure),
                Err(failure) => failed = failed.take().or(Some(failure)),
            }
            Ok(Step::Next)
        })?;
        match failed {
            _ if decided => Ok(decisive),
            Some(failure) => Err(failure),
            None => Ok(!decisive),
        }
    }

    /// `filter` and `map`.
    pub(super) fn collect(&self, each: &'m Each, locals: &mut Locals<'v>) -> Result<Val<'v>, Failure> {
        let mut collected = Vec::new();
        self.each(each, locals, |locals, item| {
            if each.kind == EachKind::Filter {
                if self.truth(&each.body, locals)? {
                    collected.push(item);
                }
            } else if each.keep.as_ref().map_or(Ok(true), |keep| self.truth(keep, locals))? {
                collected.push(self.value(&each.body, locals)?.into_owned());
            }
            Ok(Step::Next)
        })?;
        Ok(collected.into())
    }
}
