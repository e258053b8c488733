import { describe } from "vitest";
import { postgres, sqlite } from "../store/databases.ts";
import { deliveryContract } from "./contract.ts";

describe("On SQLite", () => deliveryContract(sqlite));
describe("On PostgreSQL", () => deliveryContract(postgres));
