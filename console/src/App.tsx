import { CSPProvider } from "@base-ui/react/csp-provider";
import { RouterProvider } from "@tanstack/react-router";
import { LocaleProvider } from "./locale/Locale.tsx";
import { router } from "./router.tsx";
import { SessionProvider } from "./session/SessionProvider.tsx";
import type { Session } from "./session/session.ts";
import type { Texts } from "./texts/en.ts";

export function App({ session, texts }: { session: Session; texts: Texts }) {
  return (
    <LocaleProvider texts={texts}>
      <CSPProvider disableStyleElements>
        <SessionProvider session={session}>
          <RouterProvider router={router} />
        </SessionProvider>
      </CSPProvider>
    </LocaleProvider>
  );
}
