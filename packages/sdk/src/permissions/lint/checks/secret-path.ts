const SECRET =
  /\.env|\.pem|\.key\b|\.p12|\.pfx|\.kdbx|\.tfvars|id_rsa|id_dsa|id_ecdsa|id_ed25519|\.ssh|\.aws|\.gnupg|\.kube|\.netrc|\.npmrc|\.pypirc|\.git-credentials|credential|secret|password|keychain|_history/iu;

/** Whether a path or pattern names what is usually kept secret. */
export function isSecretPath(pattern: string): boolean {
  return SECRET.test(pattern.slice(0, 4096));
}
