import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { graphql, useMutation, useSubscription } from "react-relay";
import { Errors } from "../../shared/Errors.tsx";
import type { GatewayError } from "../../shared/messageFor.ts";
import { dropDraft, inputOf, loadDraft, saveDraft, type TaskDraft } from "../../shared/taskDraft.ts";
import { TaskForm } from "../../shared/TaskForm.tsx";
import type { NewTaskMutation } from "./__generated__/NewTaskMutation.graphql.ts";
import type { NewTaskSubmissionSubscription } from "./__generated__/NewTaskSubmissionSubscription.graphql.ts";
import { errorsOf, errorsOfPayload } from "./errors.ts";

type Payload = NewTaskMutation["response"]["createTask"];

export function NewTask({ viewer }: { viewer: string }) {
  const [draft, setDraft] = useState(() => loadDraft(viewer));
  const [isPending, setPending] = useState(draft !== null);
  const [payload, setPayload] = useState<Payload>(null);
  const [errors, setErrors] = useState<GatewayError[]>([]);
  const [commit] = useMutation<NewTaskMutation>(graphql`
    mutation NewTaskMutation($input: CreateTaskInput!) {
      createTask(input: $input) {
        replayed
        submission {
          id
          status
        }
        errors {
          code
          message
          path
        }
      }
    }
  `);

  function send(draft: TaskDraft) {
    saveDraft(viewer, draft);
    setDraft(draft);
    setPending(true);
    commit({
      variables: { input: inputOf(draft) },
      onCompleted({ createTask }, errors) {
        setPayload(createTask);
        setErrors(errorsOfPayload(errors));
        if (!createTask) return; // the outcome is not known: the key stays
        dropDraft(viewer);
        setPending(false);
        if (createTask.submission) setDraft(null);
      },
      onError: (error) => setErrors(errorsOf(error)),
    });
  }
  const sendAgain = useEffectEvent(() => draft && send(draft));
  useEffect(() => void sendAgain(), []);

  return (
    <section aria-label="New task">
      <h2>New task</h2>
      <TaskForm draft={draft} isPending={isPending} onSend={send} />
      <Errors errors={errors} />
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
  const [submission, setSubmission] = useState<NewTaskSubmissionSubscription["response"]["taskSubmission"]>(null);
  const [errors, setErrors] = useState<GatewayError[]>([]);
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription NewTaskSubmissionSubscription($id: ID!) {
          taskSubmission(id: $id) {
            id
            status
            taskId
          }
        }
      `,
      variables: { id },
      onNext: (data: NewTaskSubmissionSubscription["response"] | null | undefined) =>
        data && setSubmission(data.taskSubmission),
      onError: (error: Error) => setErrors(errorsOf(error)),
    }),
    [id],
  );
  useSubscription<NewTaskSubmissionSubscription>(config);
  return (
    <>
      <p role="status">
        {submission ? `The task is ${submission.status}` : "The task was sent"}
        {submission?.taskId ? `, its ID is ${submission.taskId}.` : "."}
      </p>
      <Errors errors={errors} />
    </>
  );
}
