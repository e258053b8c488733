// The paths that the gateway answers itself. The route table (server/routeTable.ts) has a route for each of them and for no other
// path but the webhook's, which therefore cannot be one of these.

/** The addresses of the console's views (console/src/views.ts). All of them are the same page. */
export const CONSOLE_PATHS = [
  "/",
  "/live",
  "/calls",
  "/tasks",
  "/statistics",
  "/status",
  "/destinations",
  "/privacy",
  "/audit",
  "/explore",
] as const;

/** Where clients look for the identity provider of /mcp (RFC 9728), also with that path behind it. */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";

export const ownPaths = [
  ...CONSOLE_PATHS,
  "/graphql",
  "/session",
  "/client.tgz",
  "/docs",
  "/mcp",
  METADATA_PATH,
  `${METADATA_PATH}/mcp`,
  "/livez",
  "/readyz",
] as const;
export type OwnPath = (typeof ownPaths)[number];

/** All paths below these are the gateway's, too. */
export const ownFolders = ["/recordings", "/assets", "/docs"] as const;
export type OwnFolder = (typeof ownFolders)[number];

export function isOwnPath(path: string): boolean {
  return (
    ownPaths.some((own) => own === path) ||
    ownFolders.some((folder) => path === folder || path.startsWith(`${folder}/`))
  );
}
