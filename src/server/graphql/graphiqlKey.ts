// The field for a key above GraphiQL, on a gateway with authentication. The key stays in the tab's sessionStorage: never in
// localStorage, which every later tab reads, and never in an address. Each request of the page to this gateway carries it. The
// button "Forget" removes what the tab's storage holds of GraphiQL, too.

const STYLE = `
body { display: flex; flex-direction: column; height: 100vh; margin: 0; }
#root { flex: 1; min-height: 0; }
#root .graphiql-container { height: 100%; }
#key-form { display: flex; gap: 8px; align-items: center; padding: 6px 12px; font: 14px system-ui, sans-serif;
  background: #1f2937; color: #f9fafb; }
#key-form input { flex: 0 1 28em; padding: 4px 8px; font: inherit; color: #111827; background: #fff; border: 0;
  border-radius: 4px; }
#key-form button { padding: 4px 10px; font: inherit; color: #111827; background: #e5e7eb; border: 0; border-radius: 4px;
  cursor: pointer; }
#key-form[hidden] { display: none; }
`;

const FORM = `
<form id="key-form" autocomplete="off">
  <label for="key">API key or token</label>
  <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sent as Authorization: Bearer …">
  <button type="submit">Use</button>
  <button type="button" id="forget-key">Forget</button>
  <span id="key-state" role="status"></span>
</form>
`;

/** Runs before GraphiQL. After a change GraphiQL asks for the graph again: a reload would open an empty tab of its editor. */
const SCRIPT = `
(() => {
  const NAME = "switchboard-key";
  const field = document.getElementById("key");
  const show = () => {
    const key = sessionStorage.getItem(NAME);
    field.value = key ?? "";
    document.getElementById("key-state").textContent = key ? "kept in this tab only" : "needed for every request";
  };
  const keep = (key) => {
    if (key) sessionStorage.setItem(NAME, key);
    else sessionStorage.clear();
    show();
    document.querySelector('[aria-label="Re-fetch GraphQL schema"]')?.click();
  };
  document.getElementById("key-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keep(field.value.trim());
  });
  document.getElementById("forget-key").addEventListener("click", () => keep(""));
  show();
  // In the console's frame the tab is signed in already. A browser that keeps nothing for the tab has its key in the console alone.
  document.getElementById("key-form").hidden = window.parent !== window && sessionStorage.getItem(NAME) !== null;
  const send = window.fetch;
  window.fetch = (input, init) => {
    const key = sessionStorage.getItem(NAME);
    if (!key) return send(input, init);
    const request = new Request(input, init);
    const isOwn = new URL(request.url).origin === location.origin;
    // A header that was typed into GraphiQL's own tab for headers wins.
    if (isOwn && !request.headers.has("authorization"))
      request.headers.set("authorization", /^bearer /i.test(key) ? key : "Bearer " + key);
    return send(request);
  };
})();
`;

const ROOT = '<div id="root"></div>';

/** Adds the field to GraphiQL's page. */
export function withKeyField(html: string): string {
  if (!html.includes(ROOT)) throw new Error("GraphiQL's page has no root element.");
  return html.replace(ROOT, () => `<style>${STYLE}</style>${FORM}${ROOT}<script>${SCRIPT}</script>`);
}
