import { node, nodes, nodeType, requestsOfNode, rowsOfNode } from "../resolvers/node.ts";
import { MAX_LIST_LENGTH } from "../resolvers/inputRules.ts";
import { requests, builder, marks, rows } from "./builder.ts";

export const Node = builder.interfaceRef<object>("Node").implement({
  description: "An object that node(id) finds again.",
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "Opaque and unique across all types: a key for caches and for node(id).",
      resolve: () => missingId(),
    }),
  }),
  resolveType: nodeType,
});

/** Every type that implements Node has its own resolver of `id`. */
function missingId(): never {
  throw new Error("a type implements Node without an id of its own");
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    description: "The object with this id. Null where it does not exist any more.",
    ...marks(
      requests(({ id }: { id: string }) => requestsOfNode(id)),
      rows(({ id }: { id: string }) => rowsOfNode(id)),
    ),
    args: { id: t.arg.id({ required: true, description: "The id of an object of this graph." }) },
    resolve: (_, { id }, context) => node(id, context),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: true, items: true },
    description: "The objects with these ids, in the same order. An entry is null where its object does not exist.",
    ...marks(
      requests(({ ids }: { ids: string[] }) => ids.reduce((sum, id) => sum + requestsOfNode(id), 0)),
      rows(({ ids }: { ids: string[] }) => ids.reduce((sum, id) => sum + rowsOfNode(id), 0)),
    ),
    args: { ids: t.arg.idList({ required: true, description: `At most ${MAX_LIST_LENGTH} ids.` }) },
    resolve: (_, { ids }, context) => nodes(ids, context),
  }),
}));
