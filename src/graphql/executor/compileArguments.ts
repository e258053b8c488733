// The arguments of a field. What is written in the document is coerced once, with a mark in the place of each variable; from
// then on the variables, which were coerced before, are put where their marks were found.
import { getArgumentValues, visit, type FieldNode, type GraphQLField, type VariableValues } from "graphql";

type Arguments = Record<string, unknown>;

/** A value made for these variables. */
type Make = (coerced: VariableValues["coerced"]) => unknown;

/** As getArgumentValues gives them, and throws. */
export function compileArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (values: VariableValues) => Arguments {
  const coerce = (values: VariableValues) => getArgumentValues(field, node, values, undefined, true);
  const names = variablesIn(node);
  if (names.length === 0) {
    const same = getArgumentValues(field, node);
    return () => same;
  }
  /** Undefined until it is first needed, null where the marks do not tell. */
  let make: Make | null | undefined;
  return (values) => {
    const { coerced } = values;
    // One that is not given, or null, is a default or an error, as its place has it.
    for (const name of names) if (coerced[name] === undefined || coerced[name] === null) return coerce(values);
    if (make === undefined) make = makeOf(names, values, coerce);
    return make ? (make(coerced) as Arguments) : coerce(values);
  };
}

/** With one for each place it stands at. */
function variablesIn({ arguments: given = [] }: FieldNode): string[] {
  const names: string[] = [];
  for (const argument of given) visit(argument, { Variable: ({ name }) => void names.push(name.value) });
  return names;
}

function makeOf(names: readonly string[], values: VariableValues, coerce: (values: VariableValues) => Arguments) {
  const marks = new Map(names.map((name) => [name, Object.freeze({ name })]));
  const marked = coercedOrNull({ ...values, coerced: { ...values.coerced, ...Object.fromEntries(marks) } }, coerce);
  let found = 0;

  /** Null where no variable has a part in the value: it is the same each time. */
  function makerOf(value: unknown): Make | null {
    if (typeof value !== "object" || value === null) return null;
    for (const [name, mark] of marks) {
      if (mark !== value) continue;
      found += 1;
      return (coerced) => coerced[name];
    }
    return Array.isArray(value) ? makerOfList(value) : makerOfObject(value);
  }
  function makerOfList(list: readonly unknown[]): Make | null {
    const makers = list.map(makerOf);
    return makers.some(Boolean) ? (coerced) => list.map((item, at) => makers[at]?.(coerced) ?? item) : null;
  }
  function makerOfObject(value: object): Make | null {
    const parts = Object.entries(value).map(([key, part]) => ({ key, part, make: makerOf(part) }));
    if (!parts.some(({ make }) => make)) return null;
    return (coerced) => {
      const made: Record<string, unknown> = {};
      for (const { key, part, make } of parts) made[key] = make ? make(coerced) : part;
      return made;
    };
  }

  const make = makerOf(marked);
  // Where a type looks into its variables, it is not a mark that comes out.
  return found === names.length && !hasPrototypeKey(marked) ? make : null;
}

function coercedOrNull(values: VariableValues, coerce: (values: VariableValues) => Arguments): Arguments | null {
  try {
    return coerce(values);
  } catch {
    return null;
  }
}

/** Such a key would be no key in an object of ours. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototypeKey);
}
