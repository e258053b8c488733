// The rail, the view, and the details of a call beside it.
import { Outlet, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { AlertsProvider } from "../alerts/AlertsProvider.tsx";
import { NamesProvider } from "../data/NamesProvider.tsx";
import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { StateProvider } from "../state/StateProvider.tsx";
import { ListPlaceProvider } from "../ui/drawer/ListPlace.tsx";
import { lazyPart } from "../ui/lazyPart.tsx";
import { Notice } from "../ui/Notice.tsx";
import { views, type ViewEntry } from "../views.ts";
import { Rail } from "./Rail.tsx";
import { useShortcuts } from "./useShortcuts.ts";
import { View } from "./View.tsx";
import styles from "./frame.module.css";

const CallDrawer = lazyPart(() => import("../call/CallDrawer.tsx"), "CallDrawer");
const CommandMenu = lazyPart(() => import("./CommandMenu.tsx"), "CommandMenu");
const KeyboardHelp = lazyPart(() => import("./KeyboardHelp.tsx"), "KeyboardHelp");

export function Frame() {
  return (
    <StateProvider>
      <AlertsProvider>
        <NamesProvider>
          <ListPlaceProvider>
            <FrameContent />
          </ListPlaceProvider>
        </NamesProvider>
      </AlertsProvider>
    </StateProvider>
  );
}

function FrameContent() {
  const { t } = useLocale();
  const { holds, viewer } = useSession();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [areCommandsOpen, setCommandsOpen] = useState(false);
  const { call, around } = useSearch({ from: "__root__" });
  const navigate = useNavigate();
  // The code of what opens is loaded when it first does.
  const wasOpen = useRef({ call: false, help: false, commands: false });
  wasOpen.current.call ||= call !== undefined;
  wasOpen.current.help ||= isHelpOpen;
  wasOpen.current.commands ||= areCommandsOpen;
  const path = useLocation({ select: ({ pathname }) => pathname });
  const offered = views.filter(({ needs }) => needs === null || needs.some(holds));
  const refused = views.find((view) => view.path === path && !offered.includes(view));
  const jumps = offered.flatMap(({ jump, path }) =>
    jump ? [[`g ${jump}`, () => void navigate({ to: path, search: {} })] as const] : [],
  );
  useShortcuts({
    "?": () => setHelpOpen(true),
    "Mod+k": () => setCommandsOpen((isOpen) => !isOpen),
    ...Object.fromEntries(jumps),
  });

  return (
    <div className={styles["frame"]}>
      <a href="#content" className={styles["skip"]}>
        {t.frame.skip}
      </a>
      <Rail views={offered} onHelp={() => setHelpOpen(true)} onCommands={() => setCommandsOpen(true)} />
      {refused ? <NotOffered view={refused} scopes={[...viewer.scopes].join(", ")} /> : <Outlet />}
      {wasOpen.current.call && holds("calls:read") && (
        <CallDrawer
          sessionId={call ?? null}
          around={around ?? null}
          onClose={() => void navigate({ to: ".", search: withoutCall, hash: true, state: true })}
        />
      )}
      {wasOpen.current.commands && (
        <CommandMenu views={offered} isOpen={areCommandsOpen} onClose={() => setCommandsOpen(false)} />
      )}
      {wasOpen.current.help && <KeyboardHelp views={offered} isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />}
    </div>
  );
}

const withoutCall = <Search,>(search: Search) => ({ ...search, call: undefined, around: undefined });

function NotOffered({ view, scopes }: { view: ViewEntry; scopes: string }) {
  const { t } = useLocale();
  return (
    <View title={view.label(t)}>
      <Notice title={t.frame.notOffered}>{t.frame.notOfferedHint(scopes, view.needs?.join(" / ") ?? "")}</Notice>
    </View>
  );
}
