import { getNamedType, type GraphQLResolveInfo } from "graphql";
import { describe, expect, it } from "vitest";
import { schema } from "../../src/schema/schema.ts";
import { world } from "../resolvers/world.ts";
import { createTaskInput } from "../tasks/input.ts";

describe("Mutation.createTask", () => {
  it("submits the input in the name of the viewer, with a callback for when the input is used no more", async () => {
    const result = { submission: null, replayed: false, errors: [] };
    const submitted: unknown[] = [];
    const { context } = world({
      own: {
        async submitTask(...args) {
          submitted.push(args);
          return result;
        },
      },
    });
    const field = schema.getMutationType()?.getFields()["createTask"];
    const resolved = field?.resolve?.(undefined, { input: createTaskInput() }, context, {} as GraphQLResolveInfo);
    expect(await resolved).toBe(result);
    expect(submitted).toEqual([[context.viewer, { ...createTaskInput(), from: null }]]);
    expect(field && getNamedType(field.type).name).toBe("CreateTaskPayload");
  });
});
