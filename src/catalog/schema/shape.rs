//! What coercion and defaults need of a schema: declared types and properties, references followed, flat.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::json::{Object, Value};

use super::closing::{accepts_unknown, is_declared_elsewhere};
use super::coercion::{Type, coerced};
use super::reach::Reach;
use super::{Argument, SchemaError};

/// How many steps one call may cost; unions nested in unions cost more with each level.
const FUEL: usize = 100_000;

/// The shapes of a schema; a recursive schema's refer to one another.
#[derive(Debug)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
}

/// A shape's place in [`Shapes`].
pub(super) type ShapeId = usize;

/// The arguments' own shape.
pub(super) const ROOT: ShapeId = 0;

#[derive(Debug, Default)]
struct Shape {
    /// In the order declared, empty for any.
    types: Vec<Type>,
    /// `enum` or `const`; such a value is compared as it is, so it isn't converted.
    only: Option<Vec<Value<'static>>>,
    properties: Vec<Property>,
    /// Indexes of `properties`, by name.
    by_name: Vec<usize>,
    required: Vec<String>,
    rest: Rest,
    items: Option<ShapeId>,
    prefix: Vec<ShapeId>,
    choices: Vec<ShapeId>,
}

#[derive(Debug)]
struct Property {
    name: String,
    required: bool,
    /// Only an alternative may declare it, so it isn't filled in for the others.
    is_elsewhere: bool,
    default: Option<Value<'static>>,
    shape: ShapeId,
}

#[derive(Debug, Default, Clone, Copy)]
enum Rest {
    /// Unknown keys may have any value.
    #[default]
    Any,
    /// Unknown keys have this shape.
    Shape(ShapeId),
    Forbidden,
}

/// How a value matches a shape, the better the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    AfterCoercion,
    Exact,
}

impl Shapes {
    pub(super) fn of(root: &Value<'_>) -> Result<Shapes, SchemaError> {
        let mut builder = Builder { reach: Reach::new(root), ids: HashMap::new(), pending: Vec::new() };
        builder.id(root);
        let mut shapes = Vec::new();
        // The pending ones are built in the order they got their ids.
        while let Some(schema) = builder.pending.get(shapes.len()).copied() {
            shapes.push(builder.shape(schema)?);
        }
        Ok(Shapes { shapes })
    }

    /// The value with everything in it converted to its declared type.
    pub(super) fn coerce<'a>(&self, value: Value<'a>) -> Value<'a> {
        self.coerce_as(ROOT, value, &mut FUEL.clone())
    }

    /// The arguments with defaults for what is absent, in declared order.
    pub(super) fn fill<'a>(&self, value: Value<'a>) -> Value<'a> {
        self.fill_as(ROOT, value, &mut FUEL.clone())
    }

    fn coerce_as<'a>(&self, id: ShapeId, value: Value<'a>, fuel: &mut usize) -> Value<'a> {
        let Some(shape) = self.take(id, fuel) else { return value };
        if shape.only.is_some() {
            return value;
        }
        if let Some(converted) = coerced(&shape.types, &value) {
            return converted;
        }
        let value = match self.choice(shape, &value, fuel) {
            Some(choice) => self.coerce_as(choice, value, fuel),
            None => value,
        };
        match value {
            Value::Object(object) if shape.reads_objects() => {
                let mut members = object.into_members();
                for (name, value) in &mut members {
                    if let Some(inner) = shape.shape_of(shape.index_of(name)) {
                        *value = self.coerce_as(inner, std::mem::take(value), fuel);
                    }
                }
                Value::Object(Object::from_members(members))
            }
            Value::Array(mut items) if shape.reads_items() => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(inner) = shape.shape_at(index) {
                        *item = self.coerce_as(inner, std::mem::take(item), fuel);
                    }
                }
                Value::Array(items)
            }
            other => other,
        }
    }

    fn fill_as<'a>(&self, id: ShapeId, value: Value<'a>, fuel: &mut usize) -> Value<'a> {
        // Nothing is filled into a scalar.
        if !matches!(value, Value::Object(_) | Value::Array(_)) {
            return value;
        }
        let Some(shape) = self.take(id, fuel) else { return value };
        let value = match self.choice(shape, &value, fuel) {
            Some(choice) => self.fill_as(choice, value, fuel),
            None => value,
        };
        match value {
            Value::Object(object) if shape.reads_objects() => self.fill_object(shape, object, fuel),
            Value::Array(mut items) if shape.reads_items() => {
                for (index, item) in items.iter_mut().enumerate() {
                    if let Some(inner) = shape.shape_at(index) {
                        *item = self.fill_as(inner, std::mem::take(item), fuel);
                    }
                }
                Value::Array(items)
            }
            other => other,
        }
    }

    fn fill_object<'a>(&self, shape: &Shape, object: Object<'a>, fuel: &mut usize) -> Value<'a> {
        let mut given = object.into_members();
        let names = given.iter().map(|(name, _)| name.as_ref());
        if names.eq(shape.properties.iter().map(|property| property.name.as_str())) {
            for ((_, value), property) in given.iter_mut().zip(&shape.properties) {
                *value = self.fill_as(property.shape, std::mem::take(value), fuel);
            }
            return Value::Object(Object::from_members(given));
        }
        let mut declared: Vec<Option<(Cow<'a, str>, Value<'a>)>> = Vec::new();
        declared.resize_with(shape.properties.len(), || None);
        let mut extra = Vec::new();
        for (name, value) in given {
            let index = shape.index_of(&name);
            let value = match shape.shape_of(index) {
                Some(inner) => self.fill_as(inner, value, fuel),
                None => value,
            };
            // Of a repeated key the last value counts.
            match index.and_then(|index| declared.get_mut(index)) {
                Some(place) => *place = Some((name, value)),
                None => extra.push((name, value)),
            }
        }
        let mut members = Vec::with_capacity(declared.len() + extra.len());
        for (property, given) in shape.properties.iter().zip(declared) {
            match given {
                Some(member) => members.push(member),
                None if property.required || property.is_elsewhere => {}
                None => members.push((Cow::Owned(property.name.clone()), property.default.clone().unwrap_or_default())),
            }
        }
        members.extend(extra);
        Value::Object(Object::from_members(members))
    }

    /// Of several sub-schemas the one that the value fits as it is, else the first that it fits after coercion.
    fn choice(&self, shape: &Shape, value: &Value<'_>, fuel: &mut usize) -> Option<ShapeId> {
        let mut best = None;
        for &choice in &shape.choices {
            match self.fit(choice, value, fuel) {
                Fit::Exact => return Some(choice),
                Fit::AfterCoercion => best = best.or(Some(choice)),
                Fit::No => {}
            }
        }
        best
    }

    fn fit(&self, id: ShapeId, value: &Value<'_>, fuel: &mut usize) -> Fit {
        let Some(shape) = self.take(id, fuel) else { return Fit::No };
        if let Some(only) = &shape.only {
            return if only.contains(value) { Fit::Exact } else { Fit::No };
        }
        let mut fit = match shape.types.as_slice() {
            [] => Fit::Exact,
            types if types.iter().any(|kind| kind.is_exactly(value)) => Fit::Exact,
            types if coerced(types, value).is_some() => return Fit::AfterCoercion,
            _ => return Fit::No,
        };
        if !shape.choices.is_empty() {
            let best = shape.choices.iter().map(|&choice| self.fit(choice, value, fuel)).max();
            fit = fit.min(best.unwrap_or(Fit::No));
        }
        match value {
            Value::Object(object) => {
                if shape.required.iter().any(|name| object.get(name).is_none()) {
                    return Fit::No;
                }
                for (name, value) in object.iter() {
                    match shape.shape_of(shape.index_of(name)) {
                        Some(inner) => fit = fit.min(self.fit(inner, value, fuel)),
                        None if matches!(shape.rest, Rest::Forbidden) => return Fit::No,
                        None => {}
                    }
                }
            }
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(inner) = shape.shape_at(index) {
                        fit = fit.min(self.fit(inner, item, fuel));
                    }
                }
            }
            _ => {}
        }
        fit
    }

    fn take(&self, id: ShapeId, fuel: &mut usize) -> Option<&Shape> {
        *fuel = fuel.checked_sub(1)?;
        self.shapes.get(id)
    }
}

impl Shape {
    fn reads_objects(&self) -> bool {
        !self.properties.is_empty() || matches!(self.rest, Rest::Shape(_))
    }

    fn reads_items(&self) -> bool {
        self.items.is_some() || !self.prefix.is_empty()
    }

    fn index_of(&self, name: &str) -> Option<usize> {
        let name_at = |&index: &usize| self.properties.get(index).map_or("", |property| property.name.as_str());
        let at = self.by_name.binary_search_by(|index| name_at(index).cmp(name)).ok()?;
        self.by_name.get(at).copied()
    }

    /// The shape of a key's value, from where it is declared if it is.
    fn shape_of(&self, declared: Option<usize>) -> Option<ShapeId> {
        match (declared.and_then(|index| self.properties.get(index)), self.rest) {
            (Some(property), _) => Some(property.shape),
            (None, Rest::Shape(shape)) => Some(shape),
            (None, Rest::Any | Rest::Forbidden) => None,
        }
    }

    fn shape_at(&self, index: usize) -> Option<ShapeId> {
        self.prefix.get(index).copied().or(self.items)
    }
}

struct Builder<'s, 'a> {
    reach: Reach<'s, 'a>,
    /// Where each sub-schema seen got its place; by address, since a sub-schema has no name.
    ids: HashMap<*const Value<'a>, ShapeId>,
    pending: Vec<&'s Value<'a>>,
}

impl<'s, 'a> Builder<'s, 'a> {
    fn id(&mut self, schema: &'s Value<'a>) -> ShapeId {
        *self.ids.entry(std::ptr::from_ref(schema)).or_insert_with(|| {
            self.pending.push(schema);
            self.pending.len() - 1
        })
    }

    fn shape(&mut self, schema: &'s Value<'a>) -> Result<Shape, SchemaError> {
        let mut shape = Shape::default();
        let mut rest = None;
        let parts = self.reach.always(schema)?;
        for part in &parts {
            if shape.types.is_empty() {
                shape.types = part.get("type").map(types).unwrap_or_default();
            }
            if shape.only.is_none() {
                shape.only = only(part);
            }
            rest = rest.or_else(|| part.get("additionalProperties"));
            if part.get("patternProperties").is_some() {
                rest = Some(&Value::Bool(true));
            }
            match part.get("items") {
                Some(Value::Array(items)) => shape.prefix = items.iter().map(|item| self.id(item)).collect(),
                Some(items) if shape.items.is_none() => shape.items = Some(self.id(items)),
                _ => {}
            }
            if let Some(Value::Array(items)) = part.get("prefixItems") {
                shape.prefix = items.iter().map(|item| self.id(item)).collect();
            }
            let choices = ["anyOf", "oneOf"].iter().filter_map(|keyword| part.get(keyword)?.as_array()).flatten();
            let choices: Vec<&Value<'a>> = choices.collect();
            match choices.iter().map(|choice| only_types(choice)).collect::<Option<Vec<_>>>() {
                Some(of_types) if shape.types.is_empty() => shape.types = of_types.concat(),
                _ => shape.choices.extend(choices.into_iter().map(|choice| self.id(choice))),
            }
        }
        shape.properties = self.properties(&parts)?;
        shape.by_name = (0..shape.properties.len()).collect();
        let name = |&index: &usize| shape.properties.get(index).map(|property| property.name.as_str());
        shape.by_name.sort_by(|a, b| name(a).cmp(&name(b)));
        shape.required = required(&parts).map(str::to_owned).collect();
        shape.rest = match rest {
            Some(Value::Bool(false)) => Rest::Forbidden,
            Some(schema @ Value::Object(_)) => Rest::Shape(self.id(schema)),
            _ => Rest::Any,
        };
        Ok(shape)
    }

    fn properties(&mut self, parts: &[&'s Object<'a>]) -> Result<Vec<Property>, SchemaError> {
        let mut properties = Vec::new();
        for (name, schema, required) in declared(&mut self.reach, parts)? {
            let default = default(&self.reach.always(schema)?);
            properties.push(Property {
                name: name.to_owned(),
                default,
                is_elsewhere: is_declared_elsewhere(schema),
                shape: self.id(schema),
                required,
            });
        }
        Ok(properties)
    }
}

/// The declared arguments of a schema, and whether it accepts others.
pub(super) fn arguments(root: &Value<'_>) -> Result<(Vec<Argument>, bool), SchemaError> {
    let mut reach = Reach::new(root);
    let parts = reach.always(root)?;
    let mut arguments = Vec::new();
    for (name, schema, required) in declared(&mut reach, &parts)? {
        let always = reach.always(schema)?;
        let description = always.iter().find_map(|part| part.get("description")?.as_str());
        let mut kinds = Vec::new();
        for part in reach.in_place(schema)? {
            for kind in part.object.get("type").map(types).unwrap_or_default() {
                if part.part != super::reach::Part::Negated && !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
        }
        arguments.push(Argument {
            name: name.to_owned(),
            required,
            default: default(&always),
            types: kinds,
            description: description.map(str::to_owned),
            schema: schema.to_static(),
        });
    }
    let parts = reach.in_place(root)?;
    Ok((arguments, accepts_unknown(parts.iter().map(|each| each.object)).unwrap_or(false)))
}

/// The properties that these sub-schemas declare: name, schema, whether it's required. What is declared twice counts by the
/// one that says more than the bare name.
fn declared<'s, 'a>(
    reach: &mut Reach<'s, 'a>,
    parts: &[&'s Object<'a>],
) -> Result<Vec<(&'s str, &'s Value<'a>, bool)>, SchemaError> {
    let required: HashSet<&str> = required(parts).collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut found: Vec<(&'s str, &'s Value<'a>, bool)> = Vec::new();
    for part in parts {
        for (name, schema) in part.get("properties").and_then(Value::as_object).into_iter().flat_map(Object::iter) {
            reach.spend(1)?;
            let place = *places.entry(name).or_insert(found.len());
            match found.get_mut(place) {
                Some((_, earlier, _))
                    if is_declared_elsewhere(earlier) || earlier.as_object().is_some_and(Object::is_empty) =>
                {
                    *earlier = schema
                }
                Some(_) => {}
                None => found.push((name, schema, required.contains(name))),
            }
        }
    }
    Ok(found)
}

fn required<'s, 'a>(parts: &[&'s Object<'a>]) -> impl Iterator<Item = &'s str> {
    parts.iter().filter_map(|part| part.get("required")?.as_array()).flatten().filter_map(Value::as_str)
}

fn default(parts: &[&Object<'_>]) -> Option<Value<'static>> {
    parts.iter().find_map(|part| part.get("default")).map(|default| default.to_static())
}

fn only(part: &Object<'_>) -> Option<Vec<Value<'static>>> {
    match (part.get("const"), part.get("enum")) {
        (Some(value), _) => Some(vec![value.to_static()]),
        (None, Some(Value::Array(values))) => Some(values.iter().map(|value| value.to_static()).collect()),
        (None, _) => None,
    }
}

/// The types of a schema that says nothing else about a value.
fn only_types(schema: &Value<'_>) -> Option<Vec<Type>> {
    let mut members = schema.as_object()?.iter();
    members.all(|(keyword, _)| matches!(keyword, "type" | "title" | "description")).then(|| schema.get("type").map(types))?
}

fn types(value: &Value<'_>) -> Vec<Type> {
    let names = value.as_array().unwrap_or(std::slice::from_ref(value));
    names.iter().filter_map(|name| Type::from_name(name.as_str()?)).collect()
}
