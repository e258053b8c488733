import { describe } from "vitest";
import { postgres, sqlite } from "../../store/databases.ts";
import { hoursContract } from "./hours.ts";

describe("On SQLite", () => hoursContract(sqlite));
describe("On PostgreSQL", () => hoursContract(postgres));
