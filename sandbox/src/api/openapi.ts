// Routes requests under /openapi to the service's endpoints. Refuses unknown paths, wrong methods, and bad queries and bodies.
import { createTask } from "./handleCreateTask.ts";
import type { Dialler } from "../telephony/dialler.ts";
import type { Ids, World } from "../world/world.ts";
import { parseJson } from "../bigintJson.ts";
import { listCallLogs, parseQuery, readListParams, refuseQuery } from "./listCallLogs.ts";
import type { Quirks } from "../control/quirks.ts";
import { emptyResponse, jsonResponse, HttpError, type ApiResponse } from "./response.ts";
import type { Shapes } from "./responseShapes.ts";

export interface OpenApiRequest {
  method: string;
  path: string;
  query: string;
  contentType: string;
  body: Buffer;
}

export interface OpenApiDeps {
  world: World;
  ids: Ids;
  dialler: Dialler;
  shapes: Shapes;
  quirks: () => Quirks;
  now: () => number;
  timeZone: string;
  seed: number;
}

const TASK_PATH = /^\/openapi\/tasks\/(\d{1,19})$/;

/** Answers an authorized request. Throws an HttpError: 400, 404 or 405. */
export function createOpenApi(deps: OpenApiDeps): (request: OpenApiRequest) => ApiResponse {
  const list = (request: OpenApiRequest) => {
    refuseBody(request);
    const quirks = deps.quirks();
    const params = readListParams(parseQuery(request.query), {
      now: deps.now(),
      timeZone: deps.timeZone,
      quirks,
    });
    return jsonResponse(200, listCallLogs(params, { calls: deps.world.calls, quirks, shapes: deps.shapes }));
  };
  const get = (request: OpenApiRequest, id: string) => {
    refuseBody(request);
    refuseQuery(parseQuery(request.query));
    const task = deps.world.tasks.get(BigInt(id));
    if (!task) throw new HttpError(404, "unknown task");
    return jsonResponse(200, deps.shapes.task(task));
  };
  const create = (request: OpenApiRequest) => {
    refuseQuery(parseQuery(request.query));
    if (!/^application\/json\s*(;|$)/i.test(request.contentType)) {
      throw new HttpError(400, "the content type must be application/json");
    }
    deps.dialler.start(createTask(parseBody(request.body), deps));
    return emptyResponse();
  };

  return (request) => {
    if (request.path === "/openapi/calllog") return requireMethod("GET", request, list);
    if (request.path === "/openapi/tasks") return requireMethod("POST", request, create);
    const id = TASK_PATH.exec(request.path)?.[1];
    if (id === undefined) throw new HttpError(404, "no such path");
    return requireMethod("GET", request, (each) => get(each, id));
  };
}

function requireMethod(
  method: string,
  request: OpenApiRequest,
  answer: (request: OpenApiRequest) => ApiResponse,
): ApiResponse {
  if (request.method !== method) throw new HttpError(405, "method not allowed", { allow: method });
  return answer(request);
}

function refuseBody(request: OpenApiRequest): void {
  if (request.body.length > 0) throw new HttpError(400, "a GET must have no body");
}

function parseBody(body: Buffer): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new HttpError(400, "the body is not JSON");
  }
}
