import { node, nodes, nodeType, requestsOfNode, rowsOfNode } from "../resolvers/node.ts";
import { asks, builder, marks, rows } from "./builder.ts";

export const Node = builder.interfaceRef<object>("Node").implement({
  fields: (t) => ({ id: t.id({ nullable: false, resolve: () => unreachable() }) }),
  resolveType: nodeType,
});

/** Each type that is a Node says itself what its id is made of. */
function unreachable(): never {
  throw new Error("a type implements Node without an id of its own");
}

builder.queryFields((t) => ({
  node: t.field({
    type: Node,
    ...marks(
      asks(({ id }: { id: string }) => requestsOfNode(id)),
      rows(({ id }: { id: string }) => rowsOfNode(id)),
    ),
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => node(id, context),
  }),
  nodes: t.field({
    type: [Node],
    nullable: { list: true, items: true },
    description: "In the order asked. At most 100.",
    ...marks(
      asks(({ ids }: { ids: string[] }) => ids.reduce((sum, id) => sum + requestsOfNode(id), 0)),
      rows(({ ids }: { ids: string[] }) => ids.reduce((sum, id) => sum + rowsOfNode(id), 0)),
    ),
    args: { ids: t.arg.idList({ required: true }) },
    resolve: (_, { ids }, context) => nodes(ids, context),
  }),
}));
