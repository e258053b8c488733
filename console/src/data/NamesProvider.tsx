// The names of tasks and assistants that the page has learned. They stay while views change: a name that was known does not turn into
// an ID when the gateway or the service is away.
import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from "react";

export interface LearnedNames {
  tasks: ReadonlyMap<string, string>;
  assistants: ReadonlyMap<string, string>;
  learnTasks: (names: Entries) => void;
  learnAssistants: (names: Entries) => void;
  /** Tasks that were asked for, so that each is asked for once. */
  asked: Set<string>;
}

export type NameEntry = readonly [id: string, name: string];
type Entries = readonly NameEntry[];

const NamesContext = createContext<LearnedNames | null>(null);

export function NamesProvider({ children }: { children: ReactNode }) {
  const [tasks, setTasks] = useState<ReadonlyMap<string, string>>(new Map());
  const [assistants, setAssistants] = useState<ReadonlyMap<string, string>>(new Map());
  const { current: asked } = useRef(new Set<string>());
  const learnTasks = useCallback((names: Entries) => setTasks((before) => withNames(before, names)), []);
  const learnAssistants = useCallback((names: Entries) => setAssistants((before) => withNames(before, names)), []);
  const value = useMemo(
    () => ({ tasks, assistants, learnTasks, learnAssistants, asked }),
    [tasks, assistants, learnTasks, learnAssistants, asked],
  );
  return <NamesContext value={value}>{children}</NamesContext>;
}

export function useLearnedNames(): LearnedNames {
  const names = useContext(NamesContext);
  if (!names) throw new Error("useLearnedNames needs a NamesProvider.");
  return names;
}

/** The same map where nothing is new. */
function withNames(before: ReadonlyMap<string, string>, names: Entries): ReadonlyMap<string, string> {
  return names.every(([id, name]) => before.get(id) === name) ? before : new Map([...before, ...names]);
}
