// The tables that are derived from the log: Query.projections and Mutation.rebuildProjection.
import { badInput } from "../resolvers/inputRules.ts";
import type { ProjectionState as State, ProjectionStatus } from "../projections/startProjections.ts";
import { builder, cursorText, needs, rows, safeText } from "./builder.ts";

const OWN = "Named by the gateway.";
/** A projection has one build, or two for a while. */
const few = rows(5);

const ProjectionState = builder.enumType("ProjectionState", {
  description: "What a build of a projection is for.",
  values: {
    LIVE: { description: "Its rows are what readers get." },
    BUILDING: {
      description: "It is being made from the log. Once it has read as far as the live one, it takes its place.",
    },
    RETIRED: { description: "Another one took its place, and its rows are being deleted." },
  } satisfies Record<State, object>,
});

const Projection = builder.objectRef<ProjectionStatus>("Projection").implement({
  description: "A build of a table that the gateway derives from the log, such as the recipients of tasks.",
  ...needs("admin"),
  fields: (t) => ({
    name: t.exposeString("name", { nullable: false, description: "The name of the projection.", ...safeText(OWN) }),
    build: t.exposeInt("build", {
      nullable: false,
      description: "The number of the build, from 1 for each projection.",
    }),
    version: t.exposeString("version", {
      nullable: false,
      description: "The version of the rule that makes its rows.",
      ...safeText(OWN),
    }),
    state: t.expose("state", { type: ProjectionState, nullable: false, description: "What the build is for." }),
    cursor: t.exposeString("cursor", {
      description: "The place in the log up to which it was made. Null: nothing was read yet.",
      ...cursorText,
    }),
    behind: t.exposeFloat("behind", {
      nullable: false,
      description: "Number of places in the log that it has not read.",
    }),
  }),
});

builder.queryField("projections", (t) =>
  t.field({
    type: [Projection],
    description: "The builds of all projections. Needs the scope admin.",
    ...needs("admin", few),
    resolve: (_, __, { projections, queryOwner, queuedRead }) =>
      queuedRead(queryOwner, ["projections"], () => projections.builds()),
  }),
);

builder.mutationField("rebuildProjection", (t) =>
  t.field({
    type: [Projection],
    description:
      "Makes a projection anew from the log, beside the present rows. They are shown until the new ones have read as far. Returns its builds. Needs the scope admin.",
    ...needs("admin", few),
    args: { name: t.arg.string({ required: true, description: "The name of the projection, such as recipients." }) },
    async resolve(_, { name }, { projections }) {
      if (!(await projections.rebuild(name))) throw badInput("name must be the name of a projection.");
      return (await projections.builds()).filter((build) => build.name === name);
    },
  }),
);
