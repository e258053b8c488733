import { describe } from "vitest";
import { postgres, sqlite } from "../store/databases.ts";
import { changeContract } from "./changed.ts";

describe("On SQLite", () => changeContract(sqlite));
describe("On PostgreSQL", () => changeContract(postgres));
