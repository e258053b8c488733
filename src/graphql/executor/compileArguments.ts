// Compiles the arguments of a field. The literals in the document are coerced once, with a placeholder for each variable.
// Each execution copies that result and puts the coerced variables where their placeholders were found.
import { getArgumentValues, visit, type FieldNode, type GraphQLField, type VariableValues } from "graphql";

type Arguments = Record<string, unknown>;

type Build = (coerced: VariableValues["coerced"]) => unknown;

/** Returns a function that gives and throws the same as getArgumentValues. */
export function compileArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (values: VariableValues) => Arguments {
  const coerce = (values: VariableValues) => getArgumentValues(field, node, values, undefined, true);
  const names = variablesIn(node);
  if (names.length === 0) {
    const constant = getArgumentValues(field, node);
    return () => constant;
  }
  /** Undefined until it is first needed; null if the placeholders cannot be found. */
  let build: Build | null | undefined;
  return (values) => {
    const { coerced } = values;
    // Depending on its position, a missing or null variable means a default value or an error.
    for (const name of names) if (coerced[name] === undefined || coerced[name] === null) return coerce(values);
    if (build === undefined) build = compileBuild(names, values, coerce);
    return build ? (build(coerced) as Arguments) : coerce(values);
  };
}

/** Names of the variables in the arguments, one for each use. */
function variablesIn({ arguments: nodes = [] }: FieldNode): string[] {
  const names: string[] = [];
  for (const argument of nodes) visit(argument, { Variable: ({ name }) => void names.push(name.value) });
  return names;
}

function compileBuild(
  names: readonly string[],
  values: VariableValues,
  coerce: (values: VariableValues) => Arguments,
): Build | null {
  const placeholders = new Map(names.map((name) => [name, Object.freeze({ name })]));
  const template = coercedOrNull(
    { ...values, coerced: { ...values.coerced, ...Object.fromEntries(placeholders) } },
    coerce,
  );
  let found = 0;

  /** Returns null for a value without placeholders, which is the same each time. */
  function buildOf(value: unknown): Build | null {
    if (typeof value !== "object" || value === null) return null;
    for (const [name, placeholder] of placeholders) {
      if (placeholder !== value) continue;
      found += 1;
      return (coerced) => coerced[name];
    }
    return Array.isArray(value) ? buildOfList(value) : buildOfObject(value);
  }
  function buildOfList(list: readonly unknown[]): Build | null {
    const builds = list.map(buildOf);
    return builds.some(Boolean) ? (coerced) => list.map((item, at) => builds[at]?.(coerced) ?? item) : null;
  }
  function buildOfObject(value: object): Build | null {
    const members = Object.entries(value).map(([key, member]) => ({ key, member, build: buildOf(member) }));
    if (!members.some(({ build }) => build)) return null;
    return (coerced) => {
      const result: Record<string, unknown> = {};
      for (const { key, member, build } of members) result[key] = build ? build(coerced) : member;
      return result;
    };
  }

  const build = buildOf(template);
  // A scalar that parses its variables returns something other than the placeholder.
  return found === names.length && !hasPrototypeKey(template) ? build : null;
}

function coercedOrNull(values: VariableValues, coerce: (values: VariableValues) => Arguments): Arguments | null {
  try {
    return coerce(values);
  } catch {
    return null;
  }
}

/** An assignment to `__proto__` would not create a member. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasPrototypeKey);
}
