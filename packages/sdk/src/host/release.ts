/** The version of this package, as logs record it. A test holds it equal to package.json. */
export const RELEASE = "0.1.0";
