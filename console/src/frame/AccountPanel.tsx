// The viewer, its scopes, and the choices of this browser: at the foot of the rail, or behind a button where there is no room.
import { BookOpen, Keyboard, LogOut, Monitor, Moon, Search, Sun } from "lucide-react";
import { DOCS_PATH, factsAtFirst } from "../gatewayFacts.ts";
import { themes } from "../locale/preferences.ts";
import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { Button, LinkButton } from "../ui/Button.tsx";
import { Segments } from "../ui/Segments.tsx";
import { LanguageChoice } from "./LanguageChoice.tsx";
import { MOD } from "./modKey.ts";
import styles from "./frame.module.css";

const ICONS = { system: Monitor, light: Sun, dark: Moon };

export interface AccountActions {
  onHelp: () => void;
  onCommands: () => void;
}

export function AccountPanel({ onHelp, onCommands }: AccountActions) {
  const { t, format, preferences, choose } = useLocale();
  const { viewer, hasKey, signOut } = useSession();
  const scopes = [...viewer.scopes];
  return (
    <div className={styles["account"]}>
      <div className={styles["who"]}>
        <strong>{hasKey ? viewer.name : t.frame.openGateway}</strong>
        <details>
          <summary>{t.frame.scopes(format.number(scopes.length))}</summary>
          <ul>
            {scopes.map((scope) => (
              <li key={scope}>{scope}</li>
            ))}
          </ul>
        </details>
      </div>
      <LanguageChoice />
      <Segments
        label={t.frame.theme}
        value={preferences.theme}
        options={themes.map((value) => {
          const Icon = ICONS[value];
          return { value, label: t.frame[value], content: <Icon size={14} aria-hidden="true" /> };
        })}
        onChange={(theme) => choose({ theme })}
      />
      <div className={styles["accountButtons"]}>
        <Button kind="quiet" onClick={onCommands}>
          <Search size={16} aria-hidden="true" />
          {t.frame.commands}
          <kbd>{MOD} K</kbd>
        </Button>
        <Button kind="quiet" onClick={onHelp}>
          <Keyboard size={16} aria-hidden="true" />
          {t.frame.keyboard}
        </Button>
        {factsAtFirst.hasDocs && (
          <LinkButton href={DOCS_PATH} target="_blank" rel="noreferrer">
            <BookOpen size={16} aria-hidden="true" />
            {t.frame.docs}
          </LinkButton>
        )}
        {hasKey && (
          <Button kind="quiet" onClick={signOut}>
            <LogOut size={16} aria-hidden="true" />
            {t.frame.signOut}
          </Button>
        )}
      </div>
    </div>
  );
}
