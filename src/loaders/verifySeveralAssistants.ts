// Learns whether the service reads several assistantIds as they are written (UPSTREAM_ASSISTANT_IDS). Some services read one of them,
// or take `1,2` for one id and find nothing. Rows prove it that have no requested assistant in common. Until then, a list whose rows
// have one is compared with the assistants' own lists.
import { CodedError } from "../errors.ts";
import { sortedUnique } from "../format/fieldParsers.ts";
import { MAX_PAGE_SIZE, type CallLogPage, type CallLogQuery, type CallLogRecord } from "../upstream/upstream.ts";
import type { CheckRequests } from "./checkRequests.ts";
import { resultOrAbort } from "./proof.ts";
import { createProofs, type Proofs } from "./proofs.ts";
import { createVerifiedLists, type VerifiedLists } from "./verifiedLists.ts";

export interface SeveralAssistantsVerifier {
  /**
   * Whether the service seems to have read only some of the query's assistantIds. A call that was added between two requests may look
   * so, thus the caller loads the page again. It costs one request for each assistant, and none where it is proven, or where the
   * total of this list was compared a short time ago. Throws what the requests throw.
   */
  isMisread(checks: CheckRequests, query: CallLogQuery, page: CallLogPage): Promise<boolean>;
  /** Call it when a list was misread twice. */
  contradict(): void;
}

export const SEVERAL_ASSISTANTS = "several assistants";

/** For the life of the process. */
export function createSeveralAssistantsVerifier(
  proofs: Proofs = createProofs(),
  lists: VerifiedLists = createVerifiedLists(),
): SeveralAssistantsVerifier {
  const proof = proofs.of(SEVERAL_ASSISTANTS);

  async function compare(
    checks: CheckRequests,
    query: CallLogQuery,
    ids: readonly string[],
    page: CallLogPage,
  ): Promise<boolean> {
    const singles = await Promise.all(
      ids.map(async (id): Promise<SingleList> => {
        const own = { ...query, assistantIds: [id], pageIndex: 1, pageSize: MAX_PAGE_SIZE };
        return { id, ...(await checks.listCallLogs(own, "assistants")) };
      }),
    );
    return isOneOf(singles, ids, page);
  }

  return {
    async isMisread(checks, query, page) {
      const ids = sortedUnique(query.assistantIds);
      if (ids.length < 2 || proof.isProven()) return false;
      if (page.rows.length > 0 && commonIds(ids, page.rows).length === 0) {
        proof.confirm();
        return false;
      }
      const inFlight = proof.checkInFlight();
      if (inFlight !== null) await resultOrAbort(inFlight, checks.signal);
      if (proof.isProven()) return false;
      const list = { check: "assistants", query, total: page.total };
      return lists.isWrong(list, checks.signal, async (onRight) => {
        const isWrong = await proof.run(compare(checks, query, ids, page));
        if (!isWrong) onRight();
        return isWrong;
      });
    },
    contradict: proof.contradict,
  };
}

export function assistantIdsMisread(): CodedError {
  return new CodedError(
    "UPSTREAM_FILTER_IGNORED",
    "The service does not read several assistantIds as the gateway writes them: set UPSTREAM_ASSISTANT_IDS to what the doctor finds, or query for one assistant.",
  );
}

/** The list of one assistant: its first rows, and its total. */
interface SingleList extends Pick<CallLogPage, "rows" | "total"> {
  id: string;
}

/**
 * Whether the list is empty though an assistant has calls, or is the list of one assistant though another one has calls besides. A
 * service that lists the calls with all of the assistants is not told from others.
 */
function isOneOf(singles: readonly SingleList[], ids: readonly string[], { rows, total }: CallLogPage): boolean {
  if (total === 0) return singles.some((single) => single.total > 0);
  const common = commonIds(ids, rows);
  return singles.some((single) => {
    if (!common.includes(single.id)) return false;
    const isShort = common.length === 1 ? total <= single.total : total === single.total;
    return isShort && singles.some((other) => other.rows.some((row) => isWithout(single.id, row)));
  });
}

/** The ids that each of the rows has. */
function commonIds(ids: readonly string[], rows: readonly CallLogRecord[]): readonly string[] {
  return ids.filter((id) => !rows.some((row) => isWithout(id, row)));
}

/** False for a row that may have assistants which could not be read. */
function isWithout(id: string, { assistants, unread }: CallLogRecord): boolean {
  if (assistants.length === 0 || unread.some(({ field }) => field.startsWith("assistants"))) return false;
  return !assistants.some(({ assistantId }) => assistantId === id);
}
