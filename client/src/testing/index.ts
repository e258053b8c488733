// switchboard-client/testing: typed factories of the graph's objects, and handlers of Mock Service Worker for a whole gateway.
// It needs graphql and msw. It must not be imported by the client itself.
export { createEventFeed, type EventFeed } from "./eventFeed.ts";
export * from "./factories/index.ts";
export { switchboardHandlers, type HandlerOptions } from "./handlers.ts";
export { sdl } from "../generated/testingGraph.ts";
export type { OwnResolvers } from "./mockGraph.ts";
export type { RootResolvers } from "./resolvers.ts";
