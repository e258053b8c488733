// The names under which the packages will be published one day. No registry has them yet. To publish them, claim
// the scope first: nobody else can publish a name below it.

/** By the name in package.json. */
export const publishedNames: Readonly<Record<string, string>> = {
  switchboard: "@switchboard-gateway/gateway",
  "switchboard-client": "@switchboard-gateway/client",
};
