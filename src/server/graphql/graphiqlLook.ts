// How GraphiQL looks: like the console, whose colours and sizes are in console/src/styles/tokens.css. GraphiQL takes a colour as
// the parts of hsl().

const PLACES = [".graphiql-container", ".graphiql-dialog", ".graphiql-dialog-overlay", ".graphiql-tooltip"];
const under = (body: string) => [...PLACES, "[data-radix-popper-content-wrapper]"].map((place) => body + place).join();

const LIGHT = `
  --color-base: 0, 0%, 100%; --color-neutral: 240, 10%, 11%; --color-primary: 247, 66%, 55%; --color-secondary: 247, 66%, 55%;
  --color-tertiary: 216, 74%, 44%; --color-info: 216, 74%, 44%; --color-success: 145, 67%, 28%; --color-warning: 34, 89%, 30%;
  --color-error: 0, 64%, 45%; --popover-border: 1px solid hsla(var(--color-neutral), 0.12);
`;
const DARK = `
  --color-base: 240, 9%, 7%; --color-neutral: 240, 12%, 94%; --color-primary: 246, 100%, 81%; --color-secondary: 246, 100%, 81%;
  --color-tertiary: 212, 100%, 73%; --color-info: 212, 100%, 73%; --color-success: 148, 52%, 55%; --color-warning: 38, 72%, 60%;
  --color-error: 4, 100%, 74%; --popover-border: 1px solid hsla(var(--color-neutral), 0.2);
`;

/** Stands behind GraphiQL's own styles. Where there is no room for columns, they stand below each other. */
export const LOOK_STYLE = `
${under("")} { ${LIGHT}
  --font-family: system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  --font-size-body: 0.875rem; --font-size-h4: 1rem; --font-size-h3: 1.25rem; --font-size-h2: 1.25rem;
  --border-radius-8: 6px; --border-radius-12: 6px; --popover-box-shadow: none; --sidebar-width: 48px; --toolbar-width: 32px;
}
@media (prefers-color-scheme: dark) { ${under("body:not(.graphiql-light) ")} { ${DARK} } }
${under("body.graphiql-dark ")} { ${DARK} }
.graphiql-container { color-scheme: light dark; }
.graphiql-container .graphiql-logo { display: none; }
.graphiql-container .graphiql-execute-button > svg { color: hsl(var(--color-base)); }
.graphiql-container .graphiql-sessions { margin: 0; border-left: 1px solid hsla(var(--color-neutral), 0.12); border-radius: 0; }
.graphiql-container .graphiql-editors { border-radius: 0 0 6px 6px; }
@media (max-width: 720px) {
  .graphiql-container #graphiql-session, .graphiql-container .graphiql-main { flex-direction: column; }
  .graphiql-container .graphiql-editors, .graphiql-container .graphiql-response { min-height: 0; }
  .graphiql-container .graphiql-plugin, .graphiql-container .graphiql-sessions { min-height: 0; }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none; }
}
`;

/**
 * Runs before GraphiQL, and before its storage is the tab's: in the console's frame it has the console's theme. The documentation is open
 * in a tab's first visit where there is room for it. Sign-out removes what begins with `graphiql:`.
 */
export const LOOK_SCRIPT = `
(() => {
  const readTheme = () => {
    try {
      return JSON.parse(localStorage.getItem("switchboard-console") ?? "{}").theme;
    } catch {
      return "system";
    }
  };
  if (window.parent !== window) {
    const theme = readTheme();
    if (theme === "light" || theme === "dark") sessionStorage.setItem("graphiql:theme", theme);
    else sessionStorage.removeItem("graphiql:theme");
  }
  if (innerWidth < 1000 || sessionStorage.getItem("graphiql:explored")) return;
  sessionStorage.setItem("graphiql:explored", "yes");
  sessionStorage.setItem("graphiql:visiblePlugin", "Documentation Explorer");
})();
`;
