import { describe } from "vitest";
import { postgres, sqlite } from "../store/databases.ts";
import { clockContract } from "./clocks.ts";

describe("On SQLite", () => clockContract(sqlite));
describe("On PostgreSQL", () => clockContract(postgres));
