// Collects the fields that selections have for one object type. For an answer in parts it divides them by the deferred fragments
// that they belong to, as the execution plan of the specification does. A field that is also selected outside of `@defer` is not
// deferred. A field of several fragments is executed once for all of them. https://github.com/graphql/graphql-spec/pull/1110
import {
  getDirectiveValues,
  GraphQLDeferDirective,
  isAbstractType,
  Kind,
  type FieldNode,
  type FragmentSpreadNode,
  type GraphQLObjectType,
  type InlineFragmentNode,
  type SelectionSetNode,
  type ValidatedExecutionArgs,
} from "graphql";
import { isSkipped } from "../policy/selectedFields.ts";

/** A use of `@defer` for one selection. */
export interface Defer {
  node: FragmentSpreadNode | InlineFragmentNode;
  label: string | undefined;
  /** The deferred fragment around it. */
  parent: Defer | null;
}

export interface Selection {
  set: SelectionSetNode;
  /** The innermost deferred fragment around the selection. */
  defer: Defer | null;
}

export interface CollectedField {
  key: string;
  nodes: { node: FieldNode; defer: Defer | null }[];
}

/** Fields that come together, when all of `defers` are delivered; at once if there are none. */
export interface FieldGroup {
  defers: readonly Defer[];
  fields: CollectedField[];
}

export interface CollectOptions extends Pick<
  ValidatedExecutionArgs,
  "schema" | "fragmentDefinitions" | "variableValues"
> {
  /** False: `@defer` and `@stream` are ignored. */
  inParts: boolean;
}

/** `within`: the deferred fragments that are being executed. */
export function collectFields(
  selections: readonly Selection[],
  type: GraphQLObjectType,
  { schema, fragmentDefinitions, variableValues, inParts }: CollectOptions,
  within: readonly Defer[],
) {
  const byKey = new Map<string, CollectedField>();
  /** The uses of `@defer` that begin here. */
  const defers: Defer[] = [];
  /** For each fragment that was collected, the uses of `@defer` around its spreads: it counts once for each. */
  const spread = new Map<string, Set<Defer["node"] | null>>();

  function collect({ selections: nodes }: SelectionSetNode, defer: Defer | null): void {
    for (const node of nodes) {
      if (isSkipped(node, variableValues)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        byKey.getOrInsertComputed(key, () => ({ key, nodes: [] })).nodes.push({ node, defer });
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : fragmentDefinitions[node.name.value];
      const condition = fragment?.typeCondition ? schema.getType(fragment.typeCondition.name.value) : type;
      const applies = condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
      if (!fragment || !applies) continue;
      const own = inParts ? deferOf(node, defer) : null;
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const around = spread.getOrInsertComputed(node.name.value, () => new Set());
        const use = (own ?? defer)?.node ?? null;
        if (around.has(null) || around.has(use)) continue;
        around.add(use);
      }
      if (own) defers.push(own);
      collect(fragment.selectionSet, own ?? defer);
    }
  }
  function deferOf(node: FragmentSpreadNode | InlineFragmentNode, parent: Defer | null): Defer | null {
    const given = getDirectiveValues(GraphQLDeferDirective, node, variableValues);
    if (!given || given["if"] === false) return null;
    const { label } = given;
    return { node, label: typeof label === "string" ? label : undefined, parent };
  }

  for (const { set, defer } of selections) collect(set, defer);
  const now: FieldGroup = { defers: within, fields: [] };
  const groups = [now];
  for (const field of byKey.values()) {
    const own = defersOf(field);
    let group = groups.find((each) => isSame(each.defers, own));
    if (!group) groups.push((group = { defers: own, fields: [] }));
    group.fields.push(field);
  }
  return { fields: now.fields, defers, later: groups.slice(1) };
}

/** Empty if the field is also selected outside of `@defer`. Without those around which another one of them is deferred. */
function defersOf({ nodes }: CollectedField): Defer[] {
  const defers = new Set<Defer>();
  for (const { defer } of nodes) {
    if (!defer) return [];
    defers.add(defer);
  }
  return [...defers].filter((defer) => {
    for (let around = defer.parent; around; around = around.parent) if (defers.has(around)) return false;
    return true;
  });
}

function isSame(some: readonly Defer[], others: readonly Defer[]): boolean {
  return some.length === others.length && some.every((defer) => others.includes(defer));
}
