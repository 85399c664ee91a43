import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createHost,
  type JsonObject,
  type Options,
  type PermissionMode,
  type SDKMessage,
  tool,
} from "@castellan/sdk";
import { memoryStore } from "@castellan/sdk/stores";
import { assertComplete, scriptedModel } from "@castellan/sdk/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { live } from "../kit/live.ts";
import { createOracle, type Oracle } from "../kit/oracle.ts";
import { scratch } from "../kit/session.ts";
import { runs } from "../setup/runs.ts";
