// An agent with a key that may do everything tries every way to phone somebody.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectAgent } from "../support/agent.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;
let sandbox: TestSandbox;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  sandbox = parts.use(await startSandbox());
  const keys = await writeKeys(directory.path, {
    everything: ["calls:read", "tasks:create", "tasks:approve", "people:read", "admin"],
    proposer: ["calls:read", "tasks:propose"],
    approver: ["calls:read", "tasks:approve"],
  });
  gateway = parts.use(await startGateway(sandbox, { MCP: "on", API_KEYS_FILE: keys }));
});
afterAll(() => parts.disposeAsync());

const created = async () => (await sandbox.requests()).filter(({ method }) => method === "POST").length;

const APPROVE = "mutation ($id: ID!) { approveTask(id: $id) { submission { status } errors { code } } }";

describe("An agent", () => {
  it("with a key that could send only proposes", async () => {
    await sandbox.forget();
    await using agent = await connectAgent(gateway, { as: "everything" });
    const { data } = await agent.call("propose_task", { input: proposal() });
    expect(data.proposal.submission.status).toBe("PROPOSED");
    expect(await created()).toBe(0);
  });

  it("has no tool that approves, erases, discards or changes the never-call list", async () => {
    await using agent = await connectAgent(gateway, { as: "everything" });
    const { tools } = await agent.client.listTools();
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true).map(({ name }) => name);
    expect(changing).toEqual(["propose_calling_again", "propose_task"]);
    for (const name of ["approveTask", "approve_task", "createTask", "forgetPhone", "discardQuarantined"])
      await expect(agent.call(name, { id: "x" })).rejects.toThrow(/no tool|not found/i);
  });

  it("cannot smuggle a document, other variables or credentials into a call", async () => {
    await sandbox.forget();
    await using agent = await connectAgent(gateway, { as: "everything" });
    for (const own of [
      { query: 'mutation { approveTask(id: "x") { replayed } }' },
      { operationName: "approveTask" },
      { documentId: "x" },
      { extensions: { persistedQuery: {} } },
      { __proto__: null, constructor: "x" },
    ]) {
      const { errors } = await agent.call("propose_task", { input: proposal(), ...own });
      expect(errors).toMatchObject([{ code: "BAD_USER_INPUT" }]);
    }
    const inInput = await agent.call("propose_task", {
      input: { ...proposal(), approve: true, scopes: ["tasks:create"] },
    });
    expect(inInput.errors[0]).toMatchObject({ code: "BAD_USER_INPUT" });
    expect(await created()).toBe(0);
  });

  it("cannot approve at /graphql what its own key proposed, and another viewer can, once", async () => {
    await sandbox.forget();
    await using agent = await connectAgent(gateway, { as: "everything" });
    const input = proposal();
    const { id } = (await agent.call("propose_task", { input })).data.proposal.submission;
    const own = await gateway.ask(APPROVE, { id }, { authorization: bearer("everything") });
    expect(own.data).toMatchObject({ approveTask: { errors: [{ code: "OWN_PROPOSAL" }] } });
    expect(await created()).toBe(0);
    const other = await gateway.ask(APPROVE, { id }, { authorization: bearer("approver") });
    expect(other.data).toMatchObject({ approveTask: { errors: [] } });
    expect(await created()).toBe(1);
    // A repeat shows what became of it, and sends nothing.
    expect((await agent.call("propose_task", { input })).data.proposal.replayed).toBe(true);
    expect(await created()).toBe(1);
  });

  it("with tasks:propose alone cannot send at /graphql either", async () => {
    await sandbox.forget();
    const create = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { submission { id status } } }";
    const headers = { authorization: bearer("proposer") };
    const { data } = await gateway.ask<{ createTask: { submission: { id: string; status: string } } }>(
      create,
      { input: proposal() },
      headers,
    );
    expect(data?.createTask.submission.status).toBe("PROPOSED");
    const { errors } = await gateway.ask(APPROVE, { id: data?.createTask.submission.id }, headers);
    expect(errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
    expect(await created()).toBe(0);
  });
});
