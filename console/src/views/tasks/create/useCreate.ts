// Sends the task, once: the key is kept before the first request and until its outcome is known. After a reload the gateway is
// asked what became of the key.
import { useCallback, useEffect, useRef, useState } from "react";
import type { CreateTaskResult, SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import type { SentTaskFragment } from "../../../gql/graphql.ts";
import type { Columns } from "../../../../../src/format/tables/tableColumns.ts";
import { submissionByKeyDocument } from "../documents.ts";
import type { TaskNumber } from "./checkTable.ts";
import { createKey, type Fields } from "./draft.ts";
import { inputOf } from "./taskInput.ts";

type Mistakes = CreateTaskResult["errors"];

export type CreateState =
  /** `isNotKept`: the browser keeps nothing, so nothing was sent. */
  | { name: "editing"; mistakes: Mistakes; isNotKept?: boolean }
  | { name: "sending" }
  /** After a reload, or without an answer: the gateway is asked for the key. */
  | { name: "asking" }
  /** The gateway does not know the key: the request did not arrive, or is still on its way. */
  | { name: "unanswered"; code: string | null };

interface CreateDeps {
  /** Null: no task was sent whose outcome is unknown. */
  sentKey: string | null;
  /** Throws where the browser keeps nothing. */
  keepKey: (key: string | null) => void;
  onSent: (submissionId: string) => void;
}

export function useCreate({ sentKey, keepKey, onSent }: CreateDeps) {
  const client = useSwitchboard();
  const [state, setState] = useState<CreateState>(
    sentKey === null ? { name: "editing", mistakes: [] } : { name: "asking" },
  );
  const newest = useRef({ sentKey, keepKey, onSent });
  newest.current = { sentKey, keepKey, onSent };

  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);

  const settle = useCallback((submission: Pick<SentTaskFragment, "id" | "status">): void => {
    if (submission.status !== "REJECTED") return newest.current.onSent(submission.id);
    newest.current.keepKey(null);
    setState({ name: "editing", mistakes: [{ code: "REJECTED", message: "", path: [] }] });
  }, []);

  const ask = useCallback(
    async (failure: string | null = null): Promise<void> => {
      setState({ name: "asking" });
      try {
        const { taskSubmissionByKey } = await client.query(submissionByKeyDocument, {
          key: newest.current.sentKey ?? "",
        });
        if (!isShown.current) return;
        if (taskSubmissionByKey) settle(taskSubmissionByKey);
        else setState({ name: "unanswered", code: failure });
      } catch (error) {
        setState({ name: "unanswered", code: (error as SwitchboardError).code });
      }
    },
    [client, settle],
  );
  const wasSent = useRef(sentKey !== null);
  useEffect(() => {
    if (wasSent.current) void ask();
    wasSent.current = false;
  }, [ask]);

  async function send(fields: Fields, columns: Columns, numbers: readonly TaskNumber[]): Promise<void> {
    if (state.name === "sending" || state.name === "asking") return;
    const key = sentKey ?? createKey();
    try {
      keepKey(key);
    } catch {
      return setState({ name: "editing", mistakes: [], isNotKept: true });
    }
    newest.current.sentKey = key;
    setState({ name: "sending" });
    try {
      const { submission, errors } = await client.createTask({
        idempotencyKey: key,
        ...inputOf(fields, columns, numbers),
      });
      // The form was left: it asks for the key when it is opened again.
      if (!isShown.current) return;
      const [first] = errors;
      // The key has a task already, with another input: that one is followed.
      if (first?.code === "IDEMPOTENCY_CONFLICT") return await ask(first.code);
      if (submission && submission.status !== "REJECTED") return settle(submission);
      // Nothing was created, and the next sending may have another key.
      keepKey(null);
      setState({ name: "editing", mistakes: errors });
    } catch (error) {
      setState({ name: "unanswered", code: (error as SwitchboardError).code });
    }
  }
  return { state, send, ask, edit: () => setState({ name: "editing", mistakes: [] }) };
}
