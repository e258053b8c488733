// `switchboard key`: a new key for a client, and its entry for API_KEYS_FILE. The key is shown this once.
import { createApiKey } from "../auth/apiKeys.ts";
import { scopes, type Scope } from "../auth/scopes.ts";

export function key(options: { name?: string | undefined; scopes: string }): number {
  const granted = options.scopes.split(",").filter((scope) => scope !== "");
  const unknown = granted.filter((scope) => !scopes.includes(scope as Scope));
  if (!options.name || granted.length === 0 || unknown.length > 0) {
    const missing = options.name ? "A key needs --scopes." : "A key needs a --name.";
    const problem = unknown.length > 0 ? `There is no scope ${unknown.join(", ")}.` : missing;
    process.stderr.write(`${problem}\nScopes: ${scopes.join(", ")}\n`);
    return 64;
  }
  const made = createApiKey(options.name, granted as Scope[]);
  process.stdout.write(`${JSON.stringify(made.entry)}\n`);
  process.stderr.write(`\nThe key, shown once:\n\n  ${made.key}\n\nAdd the line above to the list in API_KEYS_FILE.\n`);
  return 0;
}
