// Builds the console, and serves it while you work on it: `npm run dev -w switchboard-console`, in front of the gateway in GATEWAY.
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type ProxyOptions } from "vite";

const gateway = process.env["GATEWAY"] ?? "http://127.0.0.1:4000";
const clientFile = (path: string) => fileURLToPath(new URL(`../client/src/${path}`, import.meta.url));

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
  plugins: [react(), withoutInlineStyle()],
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
