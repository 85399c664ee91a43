export { artifactContract, type ContractCase } from "./artifact-contract.ts";
export { fileArtifacts } from "./file-artifacts.ts";
export { memoryArtifacts } from "./memory-artifacts.ts";
export { putArtifact } from "./put-artifact.ts";
export { type ArtifactBody, MOST_ARTIFACT_BYTES } from "./read-body.ts";
