// The proposals that wait, the one that expires first on top. The graph lists submissions of every status, so pages are read until
// they are older than a proposal can be.
import { useCallback, useEffect, useState } from "react";
import type { SwitchboardClient, SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import type { ConsoleProposalsQuery } from "../../../gql/graphql.ts";
import { proposalsDocument } from "../documents.ts";

type Node = NonNullable<ConsoleProposalsQuery["taskSubmissions"]>["nodes"][number];
export type WaitingProposal = Node & { proposal: NonNullable<Node["proposal"]> };

export interface Proposals {
  /** Null before the first answer. */
  waiting: readonly WaitingProposal[] | null;
  /** More submissions than are read came within a day: there may be further proposals. */
  isCut: boolean;
  error: SwitchboardError | null;
  refetch: () => void;
}

const REFRESH_MS = 5000;
const PAGES = 10;
/** A proposal waits for a day. An hour is left to clocks that differ. */
const OLDEST_MS = 25 * 3_600_000;

export function useProposals(): Proposals {
  const client = useSwitchboard();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Omit<Proposals, "refetch">>({ waiting: null, isCut: false, error: null });

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    async function read(): Promise<void> {
      try {
        const found = document.hidden ? null : await readWaiting(client, signal);
        if (found) setState({ ...found, error: null });
      } catch (error) {
        if (!signal.aborted) setState((before) => ({ ...before, error: error as SwitchboardError }));
      }
      if (!signal.aborted) timer = setTimeout(() => void read(), REFRESH_MS);
    }
    void read();
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, attempt]);

  const refetch = useCallback(() => setAttempt((last) => last + 1), []);
  return { ...state, refetch };
}

async function readWaiting(client: SwitchboardClient, signal: AbortSignal) {
  const waiting: WaitingProposal[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const data: ConsoleProposalsQuery = await client.query(proposalsDocument, { after }, { signal });
    const { nodes = [], pageInfo } = data.taskSubmissions ?? {};
    for (const node of nodes) {
      if (node.status === "PROPOSED" && node.proposal) waiting.unshift({ ...node, proposal: node.proposal });
    }
    const oldest = nodes.at(-1)?.submittedAt;
    const isOld = oldest === undefined || Date.now() - Date.parse(oldest) > OLDEST_MS;
    if (isOld || !pageInfo?.hasNextPage) return { waiting, isCut: false };
    after = pageInfo.endCursor;
  }
  return { waiting, isCut: true };
}
