// Builds the console, and serves it while you work on it: `npm run dev -w switchboard-console`, in front of the gateway in GATEWAY.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type ProxyOptions } from "vite";

const gateway = process.env["GATEWAY"] ?? "http://127.0.0.1:4000";
/** As the replacement of a pattern, in which a single $ would begin the name of a group. */
const clientFile = (path: string) =>
  fileURLToPath(new URL(`../client/src/${path}`, import.meta.url)).replaceAll("$", "$$$$");

/** The gateway takes requests of its own origin. */
const toGateway: ProxyOptions = {
  target: gateway,
  ws: true,
  rewriteWsOrigin: true,
  configure: (proxy) =>
    void proxy.on("proxyReq", (request) => {
      if (request.hasHeader("origin")) request.setHeader("origin", gateway);
    }),
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), withoutInlineStyle(), operationsInPlace()],
  resolve: {
    alias: [
      { find: /^switchboard-client\/react$/, replacement: clientFile("react/index.ts") },
      { find: /^switchboard-client$/, replacement: clientFile("index.ts") },
    ],
  },
  server: { proxy: { "/graphql": toGateway, "/recordings": toGateway, "/session": toGateway } },
  build: {
    target: "es2022",
    // The policy for scripts and styles allows files alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Together they compress better than in the chunks that a shared use would make.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: "libraries",
              test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack)\//,
            },
            // The rest of what each page needs first, which other views share: one file in place of 34, some below 1 kB.
            { name: "frame", tags: ["$initial"] },
          ],
        },
      },
    },
  },
});

/** wavesurfer.js writes its style into the page, which the policy refuses. The player has the same rules in a sheet of its own. */
function withoutInlineStyle(): Plugin {
  return {
    name: "without-inline-style",
    transform(code, id) {
      if (!/wavesurfer\.js\/dist\/(wavesurfer\.esm|renderer)\.js/.test(id)) return null;
      const changed = code.replace(/<style\$\{[^]*?<\/style>/, "");
      if (changed === code && code.includes("<style")) this.error("The style of wavesurfer.js was not found.");
      return { code: changed, map: null };
    },
  };
}

/** Puts each operation into the code that asks it. The generated map of all of them would be part of the first script. */
function operationsInPlace(): Plugin {
  const generated = fileURLToPath(new URL("src/gql/graphql.ts", import.meta.url));
  const MADE = /export const (\w+)Document = (new TypedDocumentString\(`[^`]*`\))/g;
  const OPERATION = /\bgraphql\(`[^`]*?\b(?:query|mutation|subscription) (\w+)[^`]*`\)/g;
  const IMPORT = /import \{ graphql \} from "(.*)\/index\.ts";/;
  return {
    name: "operations-in-place",
    enforce: "pre",
    apply: "build",
    transform(code, id) {
      if (id === generated) return { code: code.replaceAll("= new Typed", "= /*#__PURE__*/ new Typed"), map: null };
      if (!IMPORT.test(code)) return null;
      const made = new Map([...readFileSync(generated, "utf8").matchAll(MADE)].map(([, name, text]) => [name, text]));
      const changed = code
        .replace(IMPORT, 'import { TypedDocumentString } from "$1/graphql.ts";')
        .replace(
          OPERATION,
          (_, name: string) => made.get(name) ?? this.error(`${name} was not generated: npm run codegen.`),
        );
      if (/\bgraphql\(/.test(changed)) this.error("An operation has no name.");
      return { code: changed, map: null };
    },
  };
}
