// A part of the console whose code is not in its first files. The code is loaded after the first paint, or when the part is
// shown before. Where it cannot be fetched, the rest of the page stays, and it is tried again.
import { useSyncExternalStore, type ComponentType, type ReactNode } from "react";
import { useLocale } from "../locale/Locale.tsx";
import { Button } from "./Button.tsx";
import { Notice } from "./Notice.tsx";

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 15_000;
/** The browser's timeline has this mark when the code of all parts was asked for. */
const PARTS_LOADED = "parts loaded";

type PartState<Props> = { component: ComponentType<Props> } | "loading" | "failed";

const preloads: (() => Promise<void>)[] = [];

export interface LazyPart<Props> {
  /** `placeholder`: shown while the code is loaded. */
  (props: Props & { placeholder?: ReactNode }): ReactNode;
  /** Resolves after the first attempt. The router calls it before it shows a view. */
  preload: () => Promise<void>;
}

/** `name`: of the component in its module. `Failed`: shown where its code could not be fetched. */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  Failed: ComponentType = NotLoaded,
): LazyPart<Props> {
  const listeners = new Set<() => void>();
  let state: PartState<Props> = "loading";
  let loading: Promise<void> | null = null;

  function set(next: PartState<Props>): void {
    state = next;
    for (const listener of listeners) listener();
  }
  const preload = () => (loading ??= attempt(FIRST_PAUSE_MS));
  async function attempt(pauseMs: number): Promise<void> {
    try {
      set({ component: (await load())[name] });
    } catch {
      // The browser writes the cause into its own log. Some browsers never fetch the file again: hence the button.
      set("failed");
      setTimeout(() => void attempt(Math.min(pauseMs * 2, MAX_PAUSE_MS)), pauseMs);
    }
  }
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    void preload();
    return () => void listeners.delete(listener);
  }
  function Part({ placeholder = null, ...props }: { placeholder?: ReactNode }): ReactNode {
    const shown = useSyncExternalStore(subscribe, () => state);
    if (shown === "failed") return <Failed />;
    if (shown === "loading") return placeholder;
    const Component = shown.component;
    return <Component {...(props as Props)} />;
  }
  preloads.push(preload);
  return Object.assign(Part, { preload });
}

/** Loads the code of all parts, one after the other, so that a gateway that stops later does not break the page. */
export async function loadParts(): Promise<void> {
  // A part's code may name further ones, which join the list.
  for (const preload of preloads) await preload();
  performance.mark(PARTS_LOADED);
}

/** Says that a part of the page could not be loaded. */
export function NotLoaded() {
  const { t } = useLocale();
  return (
    <Notice title={t.frame.partFailed} kind="error">
      <Button onClick={() => location.reload()}>{t.frame.reload}</Button>
    </Notice>
  );
}
