// The entry point: opens the session while the code of the view is loaded. The rest of the code follows after the first paint.
import "./locale/mendLanguage.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import { loadTexts } from "./locale/Locale.tsx";
import { readPreferences } from "./locale/preferences.ts";
import { router } from "./router.tsx";
import { createSession } from "./session/session.ts";
import { tabStorage } from "./session/tabStorage.ts";
import { loadParts } from "./ui/lazyPart.tsx";
import "./styles/tokens.css";
import "./styles/base.css";

const session = createSession(tabStorage());
session.open();
void router.load();

// No await at the top level: in Safari, modules that import one with it may run before it has
// (https://bugs.webkit.org/show_bug.cgi?id=242740).
void loadTexts(readPreferences().language).then((texts) =>
  createRoot(document.getElementById("root") as HTMLElement).render(
    <StrictMode>
      <App session={session} texts={texts} />
    </StrictMode>,
  ),
);
// Safari has no idle callbacks.
if (typeof requestIdleCallback === "function") requestIdleCallback(() => void loadParts());
else setTimeout(() => void loadParts(), 1000);
