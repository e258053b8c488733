import { useEffect, useEffectEvent, useState } from "react";
import { useMutation, useSubscription } from "urql";
import { Errors } from "../../shared/Errors.tsx";
import { dropDraft, inputOf, loadDraft, saveDraft, type TaskDraft } from "../../shared/taskDraft.ts";
import { TaskForm } from "../../shared/TaskForm.tsx";
import { errorsOf } from "./errors.ts";
import { CreateTaskDocument, SubmissionDocument } from "./operations.ts";

export function NewTask({ viewer }: { viewer: string }) {
  const [draft, setDraft] = useState(() => loadDraft(viewer));
  const [isPending, setPending] = useState(draft !== null);
  const [{ data, error }, createTask] = useMutation(CreateTaskDocument);
  const payload = data?.createTask;

  async function send(draft: TaskDraft) {
    saveDraft(viewer, draft);
    setDraft(draft);
    setPending(true);
    const { data } = await createTask({ input: inputOf(draft) });
    if (!data?.createTask) return; // the outcome is not known: the key stays
    dropDraft(viewer);
    setPending(false);
    if (data.createTask.submission) setDraft(null);
  }
  const sendAgain = useEffectEvent(() => void (draft && send(draft)));
  useEffect(() => sendAgain(), []);

  return (
    <section aria-label="New task">
      <h2>New task</h2>
      <TaskForm draft={draft} isPending={isPending} onSend={(draft) => void send(draft)} />
      <Errors errors={errorsOf(error)} />
      {payload?.errors.map(({ code, path, message }) => (
        <p key={`${code} ${path.join(".")}`} role="alert" data-code={code}>
          {path.join(".")} {message}
        </p>
      ))}
      {payload?.submission && <Submission key={payload.submission.id} id={payload.submission.id} />}
    </section>
  );
}

function Submission({ id }: { id: string }) {
  const [{ data, error }] = useSubscription({ query: SubmissionDocument, variables: { id } });
  const submission = data?.taskSubmission;
  return (
    <>
      <p role="status">
        {submission ? `The task is ${submission.status}` : "The task was sent"}
        {submission?.taskId ? `, its ID is ${submission.taskId}.` : "."}
      </p>
      <Errors errors={errorsOf(error)} />
    </>
  );
}
