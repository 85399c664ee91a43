export type { ApprovalsParts } from "./create-approvals.ts";
export { createApprovals } from "./create-approvals.ts";
export { createDesk } from "./desk.ts";
export type { AskScope, Desk, DeskParts, Parked, Question, Ruling, Tell, Told } from "./desk-types.ts";
export type { Signer } from "./signature.ts";
export { fileSigner } from "./signature.ts";
export type {
  ApprovalChange,
  Approvals,
  ApproveOptions,
  DecideOptions,
  ListApprovalsOptions,
  RejectOptions,
  WatchApprovalsOptions,
} from "./types.ts";
export { postApproval } from "./webhook.ts";
