import { describe, expect, it } from "vitest";
import { textAt } from "../house/sources.ts";
import { endCall } from "../reconcile/endToEnd.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway } from "../support/gateway.ts";
import { openSse } from "../support/streams.ts";
import { newestTask } from "./submitting.ts";

const queriesIn = (text: string) => [...text.matchAll(/```graphql\n(.*?)```/gs)].map(([, query = ""]) => query);
const [create] = queriesIn(textAt("README.md").split("## Create a task")[1] ?? "") as [string];
const documented = queriesIn(textAt("docs/creating-tasks.md"));
const documentedWith = (field: string) => documented.find((query) => query.includes(`${field}(`)) ?? "";

interface Found {
  status: string;
  taskId: string | null;
}

// Together, because the gateway looks at a task every few seconds.
describe.concurrent("A frontend that follows README.md", () => {
  it("creates a task, keeps its key, and follows it to its first call", async () => {
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox);
    connectSandbox(sandbox, gateway);
    const made = await gateway.ask<{ createTask: { submission: { id: string }; errors: unknown[] } }>(create);
    expect(made.data?.createTask).toMatchObject({ submission: { status: "ACCEPTED", numberCount: 1 }, errors: [] });
    const id = made.data?.createTask.submission.id;
    const lost = await gateway.ask<{ taskSubmissionByKey: Found }>(documentedWith("taskSubmissionByKey"));
    expect(lost.data?.taskSubmissionByKey).toEqual({ id, status: "ACCEPTED", taskId: null });

    const open = <T>(query: string, variables: object) => openSse<T>(gateway.url, { query, variables });
    await using follow = await open<{ taskSubmission: Found }>(documentedWith("taskSubmission"), { id });
    expect((await follow.next()).data?.taskSubmission.status).toBe("ACCEPTED");
    const taskId = newestTask(sandbox);
    await using ended = await open<{ callEnded: { sessionId: string } }>(documentedWith("callEnded"), { taskId });
    await using going = await open<{ taskProgress: unknown }>(documentedWith("taskProgress"), { taskId });
    expect((await going.next()).data?.taskProgress).toMatchObject({ progress: 0, callStats: { calls: 0 } });

    const sessionId = endCall(sandbox, { taskId });
    expect((await follow.next()).data?.taskSubmission).toMatchObject({ status: "RESOLVED", taskId });
    expect((await ended.next()).data?.callEnded).toMatchObject({ sessionId, answered: true });
    const expected = { status: "DONE", progress: 100, callStats: { calls: 1, answered: 1 } };
    expect((await going.next()).data?.taskProgress).toEqual(expected);
    const looks = sandbox.control.requests().filter(({ method, path }) => method === "GET" && path.endsWith(taskId));
    // One for each telling, and one for the submission's own task.
    expect(looks.length).toBeLessThanOrEqual(3);
  });
});

describe.concurrent("A subscription to a task that the service does not have, or cannot return", () => {
  it("gets null or an error, and continues", async () => {
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox);
    const query = "subscription($taskId: ID!) { taskProgress(taskId: $taskId) { name } }";
    await using stream = await openSse(gateway.url, { query, variables: { taskId: "424242" } });
    expect(await stream.next()).toEqual({ data: { taskProgress: null } });
    sandbox.control.seed({ tasks: [{ id: 424_242, name: "Here now" }] });
    expect((await stream.next()).data).toEqual({ taskProgress: { name: "Here now" } });
    sandbox.control.addFault({ match: { path: "/openapi/tasks" }, kind: "status", status: 500 });
    const failed = await stream.next();
    expect([failed.data, failed.errors?.[0]?.extensions?.["code"]]).toEqual([
      { taskProgress: null },
      "UPSTREAM_UNAVAILABLE",
    ]);
    sandbox.control.clearFaults();
    expect((await stream.next()).data).toEqual({ taskProgress: { name: "Here now" } });
  });

  it("is rejected for an invalid ID", async () => {
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox);
    const ask = async (query: string) => {
      await using stream = await openSse(gateway.url, { query });
      return (await stream.next()).errors?.[0]?.extensions?.["code"];
    };
    expect(await ask(`subscription { taskProgress(taskId: "1/../2") { name } }`)).toBe("BAD_USER_INPUT");
    expect(await ask(`subscription { taskSubmission(id: "abc") { status } }`)).toBe("BAD_USER_INPUT");
  });
});
