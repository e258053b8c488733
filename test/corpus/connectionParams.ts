// What clients of GraphQL servers send as the payload of connection_init. `shows`: a credential in a member that the gateway does not read.

export interface ConnectionParams {
  payload: unknown;
  shows: boolean;
  source: string;
}

const github = (path: string) => `https://github.com/${path}`;
const KEY = "secret-of-somebody";
const BEARER = `Bearer ${KEY}`;

export const connectionParams: readonly ConnectionParams[] = [
  { payload: { headers: { Authorization: BEARER } }, shows: true, source: github("enisdenjo/graphql-ws/issues/646") },
  {
    payload: { headers: { "x-hasura-admin-secret": KEY, "x-hasura-role": "user" } },
    shows: true,
    source: "https://hasura.io/docs",
  },
  { payload: { headers: [["authorization", BEARER]] }, shows: true, source: "own" },
  { payload: { authToken: KEY }, shows: true, source: github("apollographql/apollo-client/issues/6782") },
  { payload: { auth_token: KEY }, shows: true, source: github("apollographql/apollo-client/issues/2988") },
  { payload: { token: KEY }, shows: true, source: github("apollographql/subscriptions-transport-ws/issues/455") },
  {
    payload: { "x-auth-token": KEY },
    shows: true,
    source: github("lunchboxer/graphql-subscriptions-client/issues/24"),
  },
  { payload: { "x-api-key": KEY }, shows: true, source: github("lunchboxer/graphql-subscriptions-client/issues/24") },
  { payload: { http: { headers: { authorization: BEARER } } }, shows: true, source: "own" },
  { payload: { context: { headers: { Authorization: BEARER } } }, shows: true, source: "own" },
  { payload: { extensions: { authorization: { Authorization: BEARER } } }, shows: true, source: "own" },
  { payload: { auth: { token: KEY } }, shows: true, source: "own" },
  { payload: { jwt: KEY }, shows: true, source: "own" },
  { payload: { authorisation: BEARER }, shows: true, source: "own" },
  // A client without a key
  { payload: { headers: {} }, shows: false, source: github("js-acedevs/solution-app") },
  { payload: { headers: { "x-hasura-role": "tourist" } }, shows: false, source: "https://hasura.io/docs" },
  { payload: { headers: { "x-request-id": KEY, "content-type": "application/json" } }, shows: false, source: "own" },
  { payload: { headers: { Authorization: "" } }, shows: false, source: github("graphile/graphile.github.io/pull/203") },
  {
    payload: { headers: { Authorization: "Bearer undefined" } },
    shows: false,
    source: github("MarcelloTheArcane/nhost-template"),
  },
  { payload: { headers: { Authorization: "Bearer null" } }, shows: false, source: github("NLeSC/nuxt-apollo-hasura") },
  { payload: { headers: { Authorization: "Bearer " } }, shows: false, source: "own" },
  {
    payload: { token: null, refreshToken: null },
    shows: false,
    source: github("apollographql/subscriptions-transport-ws/issues/507"),
  },
  { payload: { authToken: null }, shows: false, source: github("apollographql/apollo-client/issues/2988") },
  { payload: { auth: {} }, shows: false, source: "own" },
  { payload: { token: false }, shows: false, source: "own" },
  { payload: { headers: null }, shows: false, source: "own" },
  { payload: { headers: "none" }, shows: false, source: "own" },
  { payload: {}, shows: false, source: github("enisdenjo/graphql-ws/issues/646") },
  { payload: null, shows: false, source: github("postmanlabs/postman-app-support/issues/13278") },
  { payload: undefined, shows: false, source: github("smallrye/smallrye-graphql/issues/1587") },
  { payload: [], shows: false, source: "own" },
  { payload: { lang: "en", reconnect: true }, shows: false, source: "own" },
];
