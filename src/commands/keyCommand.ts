// `switchboard key`: creates an API key, and prints the key and its entry for API_KEYS_FILE.
import { createApiKey } from "../auth/apiKeys.ts";
import { isViewerName, scopes, type Scope } from "../auth/scopes.ts";
import { exitCodes } from "../util/start/exitCodes.ts";
import { notify, print } from "./output.ts";

const NEXT_STEP = "Put the JSON line into API_KEYS_FILE, which is a list: [LINE] for one key, [LINE, LINE] for two.\n";

/**
 * Prints only the entry to standard output, so that `echo "[$(switchboard key …)]" > keys.json` makes a file. The key is not
 * stored anywhere.
 */
export function keyCommand(options: { name?: string | undefined; scopes: string }): number {
  const { granted, unknown } = readScopes(options.scopes);
  if (!options.name || granted.length === 0 || unknown.length > 0) {
    const missing = options.name ? "A key needs --scopes." : "A key needs a --name.";
    const problem = unknown.length > 0 ? `Unknown scope: ${unknown.join(", ")}.` : missing;
    notify(`${problem}\nScopes: ${scopes.join(", ")}\n`);
    return exitCodes.usage;
  }
  if (!isViewerName(options.name)) {
    notify("--name must have at most 255 characters and no control characters.\n");
    return exitCodes.usage;
  }
  const { key, entry } = createApiKey(options.name, granted);
  print(`${JSON.stringify(entry)}\n`);
  notify(`\nThe key, shown only now:\n\n  ${key}\n\n${NEXT_STEP}`);
  return 0;
}

/** The scopes of a list with commas; `unknown`: those that are none. */
export function readScopes(text: string): { granted: Scope[]; unknown: string[] } {
  const named = text
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
  const isScope = (scope: string): scope is Scope => scopes.some((each) => each === scope);
  return { granted: [...new Set(named.filter(isScope))], unknown: named.filter((scope) => !isScope(scope)) };
}
