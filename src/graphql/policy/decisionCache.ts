// What stands against an operation for a viewer, found out once for each set of scopes and by what it saw of the variables
// (decisionKey.ts): the same list of another day is not judged again. By a digest of that, for an id may hold somebody's number.
import { hash } from "node:crypto";
import type { OperationDefinitionNode, ValidatedExecutionArgs, VariableValues } from "graphql";
import type { Viewer } from "../../auth/scopes.ts";
import { createKeyReader, type KeyReader } from "./decisionKey.ts";

/** Depends on the viewer's scopes and on nothing else of him. Never undefined. */
export type Decide<Verdict> = (operation: ValidatedExecutionArgs, viewer: Viewer) => Verdict;

type Verdicts<Verdict> = Map<string, Verdict>;

interface Known<Verdict> {
  see: KeyReader;
  verdicts: WeakMap<Viewer["scopes"], Verdicts<Verdict>>;
}

/** Of one operation and set of scopes: numbers and ids are seen as they are, and may be different each time. */
const VERDICTS_KEPT = 32;
/** Characters of JSON. */
const LONGEST_KEPT = 512;

/** The same, remembered for as long as the document is kept. `judge` is given what it may see of the variables, no more. */
export function createDecisionCache<Verdict>(judge: Decide<Verdict>): Decide<Verdict> {
  const operations = new WeakMap<OperationDefinitionNode, Known<Verdict>>();

  function knownOf({ schema, operation }: ValidatedExecutionArgs): Known<Verdict> {
    const before = operations.get(operation);
    if (before) return before;
    const known: Known<Verdict> = { see: createKeyReader(schema, operation), verdicts: new WeakMap() };
    operations.set(operation, known);
    return known;
  }
  function verdictsOf({ verdicts }: Known<Verdict>, { scopes }: Viewer): Verdicts<Verdict> {
    const before = verdicts.get(scopes);
    if (before && before.size < VERDICTS_KEPT) return before;
    const anew: Verdicts<Verdict> = new Map();
    verdicts.set(scopes, anew);
    return anew;
  }

  return (operation, viewer) => {
    const known = knownOf(operation);
    const variableValues = known.see(operation.variableValues);
    const key = keyOf(variableValues);
    if (key === null) return judge({ ...operation, variableValues }, viewer);
    const verdicts = verdictsOf(known, viewer);
    const before = verdicts.get(key);
    if (before !== undefined) return before;
    const verdict = judge({ ...operation, variableValues }, viewer);
    verdicts.set(key, verdict);
    return verdict;
  };
}

/** Null where it is too long to be remembered. */
function keyOf({ coerced }: VariableValues): string | null {
  const text = JSON.stringify(coerced);
  if (text === NO_VARIABLES) return text;
  return text.length <= LONGEST_KEPT ? hash("sha256", text, "base64url") : null;
}

const NO_VARIABLES = "{}";
