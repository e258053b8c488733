// The rail, the view, and the details of a call beside it.
import { Outlet, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useRef, useState } from "react";
import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { Notice } from "../ui/Notice.tsx";
import { views } from "../views.ts";
import { Rail } from "./Rail.tsx";
import { useShortcuts } from "./useShortcuts.ts";
import { View } from "./View.tsx";
import styles from "./frame.module.css";

const CallDrawer = lazy(() => import("../call/CallDrawer.tsx"));
const KeyboardHelp = lazy(() => import("./KeyboardHelp.tsx"));

export function Frame() {
  const { t } = useLocale();
  const { holds, viewer } = useSession();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { call, around } = useSearch({ from: "__root__" });
  const navigate = useNavigate();
  // The code of what opens is loaded when it first does.
  const wasOpen = useRef({ call: false, help: false });
  wasOpen.current.call ||= call !== undefined;
  wasOpen.current.help ||= isHelpOpen;
  const offered = views.filter(({ needs }) => holds(needs));
  useShortcuts({ "?": () => setHelpOpen(true) });

  return (
    <div className={styles["frame"]}>
      <a href="#content" className={styles["skip"]}>
        {t.frame.skip}
      </a>
      <Rail views={offered} onHelp={() => setHelpOpen(true)} />
      {offered.length > 0 ? <Outlet /> : <NothingOffered scopes={[...viewer.scopes].join(", ")} />}
      {wasOpen.current.call && holds("calls:read") && (
        <Suspense>
          <CallDrawer
            sessionId={call ?? null}
            around={around ?? null}
            onClose={() => void navigate({ to: ".", search: withoutCall, hash: true })}
          />
        </Suspense>
      )}
      {wasOpen.current.help && (
        <Suspense>
          <KeyboardHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

const withoutCall = <Search,>(search: Search) => ({ ...search, call: undefined, around: undefined });

function NothingOffered({ scopes }: { scopes: string }) {
  const { t } = useLocale();
  return (
    <View title="Switchboard">
      <Notice title={t.frame.nothingOffered}>{t.frame.nothingOfferedHint(scopes)}</Notice>
    </View>
  );
}
