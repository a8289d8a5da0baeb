import type { Case } from "../case.js";
import { abortedRemovalCases } from "./aborted-removal-cases.js";
import { abortedTreeCases } from "./aborted-tree-cases.js";
import { borderPageCases } from "./border-page-cases.js";
import { joinedArgumentCases } from "./joined-argument-cases.js";
import { longPatternCases } from "./long-pattern-cases.js";
import { fullDirectoryCases } from "./full-directory-cases.js";
import { editOverlaps } from "./edit-overlaps.js";
import { lateAnswerCases } from "./late-answer-cases.js";
import { versionedOverlaps } from "./versioned-overlaps.js";
import { storageOverlaps } from "./storage-overlaps.js";
import { aboveAndBelowCases } from "./above-and-below-cases.js";
import { removalRaces } from "./removal-races.js";
import { sizeChangeCases } from "./size-change-cases.js";
import { wholeTextCases } from "./whole-text-cases.js";
import { lateClientCases } from "./late-client-cases.js";
import { peerDirectoryCases } from "./peer-directory-cases.js";
import { peerCases } from "./peer-cases.js";
import { removalCases } from "./removal-cases.js";
import { sentenceCases } from "./sentence-cases.js";
import { spellingCases } from "./spelling-cases.js";
import { againCases } from "./again-cases.js";
import { argumentCases } from "./argument-cases.js";
import { blockCases } from "./block-cases.js";
import { capabilityCases } from "./capability-cases.js";
import { conditionCases } from "./condition-cases.js";
import { durableNameCases } from "./durable-name-cases.js";
import { durableCases } from "./durable-cases.js";
import { durableVersionCases } from "./durable-version-cases.js";
import { editRaces } from "./edit-races.js";
import { equalCallRaces } from "./equal-call-races.js";
import { betweenKindsCases } from "./between-kinds-cases.js";
import { commandFormCases } from "./command-form-cases.js";
import { execCases } from "./exec-cases.js";
import { extensionCases } from "./extension-cases.js";
import { faultCases } from "./fault-cases.js";
import { growthCases } from "./growth-cases.js";
import { guardCases } from "./guard-cases.js";
import { hookCases } from "./hook-cases.js";
import { mountCases } from "./mount-cases.js";
import { pageCases } from "./page-cases.js";
import { pathCases } from "./path-cases.js";
import { readRaces } from "./read-races.js";
import { relocationRaces } from "./relocation-races.js";
import { relocatedTreeCases } from "./relocated-tree-cases.js";
import { scaleCases } from "./scale-cases.js";
import { creationTimeCases } from "./creation-time-cases.js";
import { storageCases } from "./storage-cases.js";
import { closeCases } from "./close-cases.js";
import { explicitDefaultCases } from "./explicit-default-cases.js";
import { resemblingTextCases } from "./resembling-text-cases.js";
import { encodingCases } from "./encoding-cases.js";
import { freshCases } from "./fresh-cases.js";
import { largeLineCases } from "./large-line-cases.js";
import { largeTotalCases } from "./large-total-cases.js";
import { largeTextCases } from "./large-text-cases.js";
import { nameSearchCases } from "./name-search-cases.js";
import { newDirectoryCases } from "./new-directory-cases.js";
import { nextPageCases } from "./next-page-cases.js";
import { alikeTreeCases } from "./alike-tree-cases.js";
import { listingRaces } from "./listing-races.js";
import { largeBatchCases } from "./large-batch-cases.js";
import { movedDirectoryCases } from "./moved-directory-cases.js";
import { nameCases } from "./name-cases.js";
import { abortedBesideCases } from "./aborted-beside-cases.js";
import { changedPageCases } from "./changed-page-cases.js";
import { lookalikePageCases } from "./lookalike-page-cases.js";
import { namedPathCases } from "./named-path-cases.js";
import { firstCallCases } from "./first-call-cases.js";
import { refusalCases } from "./refusal-cases.js";
import { statCases } from "./stat-cases.js";
import { versionCases } from "./version-cases.js";
import { concurrentModels } from "../../model/concurrent.js";
import { explorationCases } from "../../exploration/exploration-cases.js";
import { sequentialModel } from "../../model/sequential.js";
import { largeCases } from "./large-cases.js";
import { matrixCases } from "../../matrix/matrix.js";
import { twinCases } from "../../twins/twin-cases.js";
import { watchCases } from "./watch-cases.js";
import { wrapCases } from "./wrap-cases.js";
import { writeRaces } from "./write-races.js";
import { askedOtherwiseCases } from "./asked-otherwise-cases.js";
import { apartCases } from "./apart-cases.js";
import { oddTextCases } from "./odd-text-cases.js";
import { oneContentRaces } from "./one-content-races.js";
import { meaningCases } from "./meaning-cases.js";
import { largeContentCases } from "./large-content-cases.js";
import { manyWaysCases } from "./many-ways-cases.js";
import { megabyteBorderCases } from "./megabyte-border-cases.js";
import { megabyteRaces } from "./megabyte-races.js";
import { oftenCases } from "./often-cases.js";
import { oldBesideManyCases } from "./old-beside-many-cases.js";
import { megabyteCases } from "./megabyte-cases.js";
import { borderNameCases } from "./border-name-cases.js";
import { pageAfterEditCases } from "./page-after-edit-cases.js";
import { manyAtOnceCases } from "./many-at-once-cases.js";
import { twoAtOnceCases } from "./two-at-once-cases.js";
import { abortedAmongCases } from "./aborted-among-cases.js";
import { abortedChangeCases } from "./aborted-change-cases.js";
import { abortedLargeCases } from "./aborted-large-cases.js";
import { faultSequelCases } from "./fault-sequel-cases.js";
import { lateOptionCases } from "./late-option-cases.js";
import { faultBesideCases } from "./fault-beside-cases.js";
import { peerVersionCases } from "./peer-version-cases.js";
import { conditionalUploadCases } from "./conditional-upload-cases.js";
import { batchRaces } from "./batch-races.js";
import { contentVersionCases } from "./content-version-cases.js";
import { writeNameCases } from "./write-name-cases.js";
import { encodedNameCases } from "./encoded-name-cases.js";
import { meaningSearchCases } from "./meaning-search-cases.js";
import { ghostCases } from "./ghost-cases.js";
import { tornReadRaces } from "./torn-read-races.js";
import { abortedAfterReadsCases } from "./aborted-after-reads-cases.js";
import { firstLookCases } from "./first-look-cases.js";
import { reportCases } from "./report-cases.js";
import { editSeamCases } from "./edit-seam-cases.js";
import { cappedSearchCases } from "./capped-search-cases.js";
import { manyReadBeforeCases } from "./many-read-before-cases.js";

/** The cases that need more than data. */
export function codeCases(): Case[] {
  return [
    ...guardCases,
    ...argumentCases,
    ...oddTextCases,
    ...lateOptionCases,
    ...twoAtOnceCases,
    ...abortedAmongCases,
    ...abortedChangeCases,
    ...abortedLargeCases,
    ...abortedAfterReadsCases,
    ...explicitDefaultCases,
    ...againCases,
    ...askedOtherwiseCases,
    ...matrixCases,
    ...twinCases,
    ...capabilityCases,
    ...pathCases,
    ...spellingCases,
    ...creationTimeCases,
    ...storageCases,
    ...conditionCases,
    ...conditionalUploadCases,
    ...pageCases,
    ...borderPageCases,
    ...nameCases,
    ...encodedNameCases,
    ...nameSearchCases,
    ...alikeTreeCases,
    ...meaningCases,
    ...meaningSearchCases,
    ...borderNameCases,
    ...apartCases,
    ...joinedArgumentCases,
    ...longPatternCases,
    ...encodingCases,
    ...wholeTextCases,
    ...resemblingTextCases,
    ...extensionCases,
    ...versionCases,
    ...contentVersionCases,
    ...writeNameCases,
    ...statCases,
    ...ghostCases,
    ...newDirectoryCases,
    ...refusalCases,
    ...sentenceCases,
    ...removalCases,
    ...freshCases,
    ...growthCases,
    ...sizeChangeCases,
    ...fullDirectoryCases,
    ...scaleCases,
    ...blockCases,
    ...largeTextCases,
    ...largeLineCases,
    ...largeCases,
    ...largeContentCases,
    ...megabyteCases,
    ...megabyteBorderCases,
    ...manyWaysCases,
    ...largeTotalCases,
    ...oldBesideManyCases,
    ...oftenCases,
    ...betweenKindsCases,
    ...largeBatchCases,
    ...pageAfterEditCases,
    ...editSeamCases,
    ...firstLookCases,
    ...cappedSearchCases,
    ...manyReadBeforeCases,
    ...nextPageCases,
    ...manyAtOnceCases,
    ...hookCases,
    ...wrapCases,
    ...mountCases,
    ...watchCases,
    ...reportCases,
    ...changedPageCases,
    ...lookalikePageCases,
    ...namedPathCases,
    ...firstCallCases,
    ...abortedBesideCases,
    sequentialModel,
    ...explorationCases,
    ...editRaces,
    ...equalCallRaces,
    ...writeRaces,
    ...editOverlaps,
    ...versionedOverlaps,
    ...lateAnswerCases,
    ...oneContentRaces,
    ...storageOverlaps,
    ...batchRaces,
    ...readRaces,
    ...tornReadRaces,
    ...megabyteRaces,
    ...listingRaces,
    ...relocatedTreeCases,
    ...abortedTreeCases,
    ...abortedRemovalCases,
    ...relocationRaces,
    ...concurrentModels,
    ...movedDirectoryCases,
    ...peerCases,
    ...peerVersionCases,
    ...peerDirectoryCases,
    ...lateClientCases,
    ...aboveAndBelowCases,
    ...removalRaces,
    ...durableCases,
    ...durableVersionCases,
    ...durableNameCases,
    ...faultCases,
    ...faultSequelCases,
    ...faultBesideCases,
    ...closeCases,
    ...execCases,
    ...commandFormCases,
  ];
}
