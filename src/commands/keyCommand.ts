// `switchboard key`: a new key for a client, and its entry for API_KEYS_FILE. The key is shown this once.
import { createApiKey } from "../auth/apiKeys.ts";
import { isViewerName, scopes, type Scope } from "../auth/scopes.ts";

const WHERE = "The JSON line goes into API_KEYS_FILE, which is a list: [LINE] for one key, [LINE, LINE] for two.\n";

/** The entry goes to standard output, all else to standard error: `echo "[$(switchboard key …)]" > keys.json` makes a file. */
export function keyCommand(options: { name?: string | undefined; scopes: string }): number {
  const granted = options.scopes
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
  const unknown = granted.filter((scope) => !scopes.includes(scope as Scope));
  if (!options.name || granted.length === 0 || unknown.length > 0) {
    const missing = options.name ? "A key needs --scopes." : "A key needs a --name.";
    const problem = unknown.length > 0 ? `There is no scope ${unknown.join(", ")}.` : missing;
    process.stderr.write(`${problem}\nScopes: ${scopes.join(", ")}\n`);
    return 64;
  }
  if (!isViewerName(options.name)) {
    process.stderr.write("A --name has up to 255 characters, and no control characters.\n");
    return 64;
  }
  const made = createApiKey(options.name, granted as Scope[]);
  process.stdout.write(`${JSON.stringify(made.entry)}\n`);
  process.stderr.write(`\nThe key, shown once:\n\n  ${made.key}\n\n${WHERE}`);
  return 0;
}
