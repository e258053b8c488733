// Goes to a view, a number, a call or a task, by typing. Loaded when it is opened first.
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { AudioLines, ListChecks, Search } from "lucide-react";
import { useMemo, useState } from "react";
import { hashOf } from "../data/filterSearch.ts";
import { useTaskOptions } from "../data/useNames.ts";
import { useLocale, useTexts } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import type { ViewEntry } from "../views.ts";
import { commandKey, commandsFor, type Command } from "./commands.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import helpStyles from "./help.module.css";
import styles from "./commands.module.css";

const ICONS = { phone: Search, session: AudioLines, task: ListChecks };

export function CommandMenu(props: { views: readonly ViewEntry[]; isOpen: boolean; onClose: () => void }) {
  const { views, isOpen, onClose } = props;
  const { t } = useLocale();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={helpStyles["backdrop"]} />
        <Dialog.Popup className={styles["menu"]} aria-label={t.frame.commands}>
          <Commands views={views} onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Commands({ views, onClose }: { views: readonly ViewEntry[]; onClose: () => void }) {
  const { t } = useLocale();
  const own = useTexts({ en, zh });
  const { holds } = useSession();
  const navigate = useNavigate();
  const pathname = useLocation({ select: (location) => location.pathname });
  const [text, setText] = useState("");
  const findsCalls = holds("calls:read");
  const { options, isPartial } = useTaskOptions(findsCalls);
  const commands = useMemo(
    () =>
      commandsFor(text, {
        views: views.map(({ path, label }) => ({ path, label: label(t) })),
        tasks: findsCalls ? options : null,
        findsCalls,
        findsNumbers: findsCalls && holds("people:read"),
      }),
    [text, views, t, findsCalls, options, holds],
  );

  function run(command: Command): void {
    onClose();
    if (command.kind === "view") void navigate({ to: command.path, search: {} });
    if (command.kind === "phone")
      void navigate({ to: "/calls", search: { range: "30d" }, hash: hashOf(command.phone) });
    if (command.kind === "task") void navigate({ to: "/tasks", search: { task: command.taskId } });
    if (command.kind === "session") {
      const { sessionId: call } = command;
      // Other views may have details open, which would stand below those of the call.
      if (pathname === "/live" || pathname === "/calls")
        void navigate({ to: ".", search: (before) => ({ ...before, call, around: undefined }), hash: true });
      else void navigate({ to: "/live", search: { call } });
    }
  }
  function labelOf(command: Command): string {
    if (command.kind === "phone") return own.findNumber(command.phone);
    if (command.kind === "session") return own.openSession(command.sessionId);
    return command.kind === "task" ? own.openTask(command.label) : command.label;
  }
  function iconOf(command: Command) {
    return command.kind === "view"
      ? (views.find(({ path }) => path === command.path)?.icon ?? Search)
      : ICONS[command.kind];
  }
  return (
    <Autocomplete.Root
      open
      inline
      items={commands}
      filter={null}
      value={text}
      onValueChange={setText}
      itemToStringValue={labelOf}
      autoHighlight="always"
      keepHighlight
    >
      <div className={styles["field"]}>
        <Search size={16} aria-hidden="true" />
        <Autocomplete.Input aria-label={own.commandHint} placeholder={own.commandHint} className={styles["input"]} />
        <Dialog.Close className="hidden">{t.frame.close}</Dialog.Close>
      </div>
      <Autocomplete.Empty className={styles["none"]}>{t.live.nothingFound}</Autocomplete.Empty>
      <Autocomplete.List className={styles["list"]}>
        {(command: Command) => {
          const Icon = iconOf(command);
          const jump = command.kind === "view" && views.find(({ path }) => path === command.path)?.jump;
          return (
            <Autocomplete.Item
              key={commandKey(command)}
              value={command}
              className={styles["item"]}
              onClick={() => run(command)}
            >
              <Icon size={16} aria-hidden="true" />
              <span>{labelOf(command)}</span>
              {jump && <kbd>{`g ${jump}`}</kbd>}
            </Autocomplete.Item>
          );
        }}
      </Autocomplete.List>
      {isPartial && <p className={styles["none"]}>{t.errors.notRead}</p>}
    </Autocomplete.Root>
  );
}
