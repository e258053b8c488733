// The CRM of the tests: a subgraph of its own, with customers that lead to their calls by phone number.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { buildSchema, graphql } from "graphql";

export interface Customer {
  id: string;
  name: string;
  phone: string;
}

export const CRM_SDL = readFileSync(new URL("../crm.graphql", import.meta.url), "utf8");

export interface Crm extends AsyncDisposable {
  url: string;
}

type PersonOf = (customer: Customer) => { phone: string };

/** `sdl`: of a CRM with some of these fields; `personOf`: its resolver of `Customer.person`. */
export async function startCrm(
  customers: readonly Customer[],
  sdl = CRM_SDL,
  personOf: PersonOf = ({ phone }) => ({ phone }),
): Promise<Crm> {
  const schema = buildSchema(sdl, { assumeValidSDL: true });
  const withPerson = (customer: Customer) => ({ ...customer, person: personOf(customer), visits: [] });
  const rootValue = {
    customer: ({ id }: { id: string }) => customers.filter((each) => each.id === id).map(withPerson)[0],
    customers: ({ first }: { first: number }) => ({
      nodes: customers.slice(0, first).map(withPerson),
      pageInfo: { hasNextPage: customers.length > first, hasPreviousPage: false },
    }),
  };
  const server = createServer(async (request, response) => {
    const { query: source, variables: variableValues } = JSON.parse(await text(request)) as Record<string, never>;
    const result = await graphql({ schema, source, variableValues, rootValue });
    response.setHeader("content-type", "application/json").end(JSON.stringify(result));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
