// Generates operations with `@defer` and `@stream` for the schema of partsOf.ts, and values for it.
import { MAX_INCREMENTAL_DIRECTIVES } from "../../../src/graphql/executor/incrementalDirectives.ts";
import type { createRandom } from "./generatedOperations.ts";

type Random = ReturnType<typeof createRandom>;

export function generateQuery(random: Random): string {
  let left = MAX_INCREMENTAL_DIRECTIVES;
  let labels = 0;
  const fragments: string[] = [];
  const STREAMS: Record<string, string> = { items: "(initialCount: 1)", sureItems: "" };

  function defer(): string {
    if (left <= 0 || random.chance(0.3)) return "";
    left -= 1;
    labels += 1;
    return random.pick([
      " @defer",
      ` @defer(label: "l${labels}")`,
      ` @defer(label: "l${labels}")`,
      " @defer(if: false)",
    ]);
  }
  function selection(depth: number, type: string): string {
    const count = 1 + [0.9, 0.5, 0.3].filter((share) => random.chance(share)).length;
    return `{ ${Array.from({ length: count }, () => selected(depth, type)).join(" ")} }`;
  }
  function selected(depth: number, type: string): string {
    if (depth < 3 && random.chance(0.4)) return `... ${defer()} ${selection(depth + 1, type)}`;
    if (fragments.length < 4 && depth < 3 && random.chance(0.15)) {
      const name = `F${fragments.length}`;
      fragments.push("");
      fragments[Number(name.slice(1))] = `fragment ${name} on ${type} ${selection(depth + 1, type)}`;
      return `...${name}${defer()} ${random.chance(0.5) ? `...${name}${defer()}` : ""}`;
    }
    if (depth > 3 || random.chance(0.5)) return random.pick(["__typename", "id", "text", "sure", "grid"]);
    const name = random.pick(["item", "sureItem", "items", "sureItems"]);
    if (streamed.has(name)) left -= 1;
    return `${name}${streamed.has(name) ? ` @stream${STREAMS[name]}` : ""} ${selection(depth + 1, "Item")}`;
  }
  // Fields that are merged must be streamed alike.
  const streamed = new Set(["items", "sureItems"].filter(() => random.chance(0.5)));
  const body = selection(0, "Query");
  return `${body} ${fragments.join(" ")}`;
}

/** Values that come at once or later, and errors. */
export function generateItem(random: Random, errorShare: number, depth: number): Record<string, unknown> {
  const value = (given: unknown): unknown => {
    const error = new Error("It fails.");
    if (random.chance(errorShare)) return random.chance(0.5) ? error : null;
    return random.chance(0.15) ? Promise.resolve(given) : given;
  };
  const item = () => (depth > 0 ? generateItem(random, errorShare, depth - 1) : null);
  const list = () => Array.from({ length: random.pick([0, 1, 2]) }, () => value(item()));
  const own = { id: value("1"), text: value("t"), int: value(7), sure: value("s"), grid: value([[1, null], [2]]) };
  return { ...own, item: value(item()), sureItem: value(item()), items: value(list()), sureItems: value(list()) };
}
